package taskimport

import (
	"bytes"
	"fmt"
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
	m := &matcher{rows: b.Rows, taken: make([]bool, len(b.Rows)), encoded: make([]model.Raw, len(b.Rows))}
	for i, row := range b.Rows {
		// The row may have been removed from the file.
		if task, ok := byHash[row.Hash]; ok {
			m.encoded[i] = encodeTask(task)
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
	rows    []RowRef
	taken   []bool
	encoded []model.Raw
}

func (m *matcher) findRow(task model.TaskInput) int {
	whole, timeless := encodeTask(task), encodeTask(withoutTimes(task))
	for _, same := range []func(sent model.Raw) bool{
		func(sent model.Raw) bool { return bytes.Equal(whole, sent) },
		func(sent model.Raw) bool { return containsJSON(whole, sent) },
		// A relative time such as +2h is another time when an interrupted import continues.
		func(sent model.Raw) bool { return containsJSON(timeless, timelessOf(sent)) },
	} {
		for i, sent := range m.encoded {
			if !m.taken[i] && len(sent) > 0 && same(sent) {
				m.taken[i] = true
				return i
			}
		}
	}
	return -1
}

func withoutTimes(task model.TaskInput) model.TaskInput {
	task.CompleteAfter, task.CompleteBefore = model.Opt[model.Millis]{}, model.Opt[model.Millis]{}
	return task
}

func timelessOf(sent model.Raw) model.Raw {
	var task model.TaskInput
	if model.Unmarshal(sent, &task) != nil {
		return nil
	}
	return encodeTask(withoutTimes(task))
}

func encodeTask(task model.TaskInput) model.Raw {
	encoded, err := model.Marshal(task)
	if err != nil {
		return nil
	}
	raw := model.Raw(encoded)
	_ = raw.Canonicalize()
	return raw
}

// containsJSON reports whether whole has every member of part with the same value.
func containsJSON(whole, part model.Raw) bool {
	if bytes.Equal(whole, part) {
		return true
	}
	if len(part) == 0 || len(whole) == 0 || part.Kind() != whole.Kind() {
		return false
	}
	switch part.Kind() {
	case '{':
		var w, p map[string]model.Raw
		if model.Unmarshal(whole, &w) != nil || model.Unmarshal(part, &p) != nil {
			return false
		}
		for name, value := range p {
			if !containsJSON(w[name], value) {
				return false
			}
		}
		return true
	case '[':
		var w, p []model.Raw
		if model.Unmarshal(whole, &w) != nil || model.Unmarshal(part, &p) != nil || len(w) != len(p) {
			return false
		}
		for i := range p {
			if !containsJSON(w[i], p[i]) {
				return false
			}
		}
		return true
	}
	return false
}
