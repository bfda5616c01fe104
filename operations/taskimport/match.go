package taskimport

import (
	"fmt"
	"maps"
	"reflect"
	"strings"

	"waybill/model"
)

// outcome is the record of a job that has ended, with its failed rows.
func (r *Run) outcome(b *batch, job model.BatchJob) record {
	done := record{Type: recordDone, Batch: b.Batch, Created: int(job.TasksCreated)}
	byHash := map[string]model.TaskInput{}
	for _, row := range r.File.Rows {
		byHash[row.Hash] = row.Task
	}
	m := &matcher{rows: b.Rows, taken: make([]bool, len(b.Rows)), sent: make([]map[string]any, len(b.Rows))}
	for i, row := range b.Rows {
		// The row may have been removed from the file.
		if task, ok := byHash[row.Hash]; ok {
			m.sent[i] = membersOf(task)
		}
	}
	for _, failure := range job.Errors {
		cause := failureCause(failure)
		if task, ok := failure.TaskData.Get(); ok {
			if i := m.findRow(task); i >= 0 {
				done.Failed = append(done.Failed, Failure{b.Rows[i], cause})
				continue
			}
		}
		done.Unmatched = append(done.Unmatched, cause)
	}
	for _, task := range job.FailedTasks {
		if len(done.Failed)+len(done.Unmatched) >= int(job.TasksErrored) {
			break
		}
		if i := m.findRow(task); i >= 0 {
			done.Failed = append(done.Failed, Failure{b.Rows[i], "the service gave no reason"})
		}
	}
	if job.Status == model.BatchFailed && job.TasksCreated == 0 && len(done.Failed)+len(done.Unmatched) == 0 {
		done.Failed = allFailed(b.Rows, "the service rejected the whole batch without a reason")
	}
	return done
}

func failureCause(failure model.BatchError) string {
	text := strings.TrimSpace(failure.Message)
	if cause, ok := failure.Cause.Get(); ok && cause.String() != "" {
		text = strings.TrimPrefix(strings.TrimRight(text, ".")+": "+strings.TrimSpace(cause.String()), ": ")
	}
	if text == "" {
		text = fmt.Sprintf("error %d", failure.ErrorCode)
	}
	return model.Clean(text)
}

// matcher finds the row of a failed task. The service returns the task as it was sent, or with members added.
type matcher struct {
	rows  []RowRef
	taken []bool
	sent  []map[string]any
}

func (m *matcher) findRow(task model.TaskInput) int {
	returned := membersOf(task)
	for _, matches := range []func(sent map[string]any) bool{
		func(sent map[string]any) bool { return reflect.DeepEqual(returned, sent) },
		func(sent map[string]any) bool { return containsJSON(returned, sent) },
		// A relative time such as +2h is another time when an interrupted import continues.
		func(sent map[string]any) bool { return containsJSON(returned, withoutTimes(sent)) },
	} {
		for i, sent := range m.sent {
			if !m.taken[i] && sent != nil && matches(sent) {
				m.taken[i] = true
				return i
			}
		}
	}
	return -1
}

func withoutTimes(task map[string]any) map[string]any {
	task = maps.Clone(task)
	delete(task, "completeAfter")
	delete(task, "completeBefore")
	return task
}

// membersOf is a task as the service gets it; nil if it cannot be encoded.
func membersOf(task model.TaskInput) (members map[string]any) {
	if encoded, err := model.Marshal(task); err != nil || model.Unmarshal(encoded, &members) != nil {
		return nil
	}
	return members
}

// containsJSON reports whether whole has every member of part with the same value.
func containsJSON(whole, part any) bool {
	switch part := part.(type) {
	case map[string]any:
		members, ok := whole.(map[string]any)
		for name, value := range part {
			ok = ok && containsJSON(members[name], value)
		}
		return ok
	case []any:
		items, ok := whole.([]any)
		ok = ok && len(items) == len(part)
		for i := range part {
			ok = ok && containsJSON(items[i], part[i])
		}
		return ok
	}
	return whole == part
}
