package model

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// withTask is a task that is fine but for the members added to it.
func withTask(members string) string {
	if members != "" {
		members = "," + members
	}
	return `{"destination":"ID","recipients":[]` + members + `}`
}

func TestTaskRules(t *testing.T) {
	check := func(in TaskInput) Problems { return in.Check(ruleContext) }
	checkRules(t, check, []ruleCase{
		{"least", withTask(""), nil},
		{"nothing", `{}`, []string{"destination:1900", "recipients:1900"}},
		{"nulls", `{"destination":null,"recipients":null}`, []string{"destination:1900", "recipients:1900"}},
		{"destination id malformed", `{"destination":"short","recipients":[]}`, []string{"destination:1005"}},
		{"destination object", `{"destination":{"address":{"unparsed":"x"}},"recipients":[]}`, nil},
		{"destination object broken", `{"destination":{"address":{"number":"1","street":"S","country":"D"}},"recipients":[]}`, []string{"destination.address.city:1900"}},
		{"one recipient id", `{"destination":"ID","recipients":["OTHER"]}`, nil},
		{"one recipient object", `{"destination":"ID","recipients":[{"name":"A","phone":"+16502530000"}]}`, nil},
		{"recipient object broken", `{"destination":"ID","recipients":[{"name":"A","phone":"1"}]}`, []string{"recipients[0].phone:1000"}},
		{"recipient id malformed", `{"destination":"ID","recipients":["x"]}`, []string{"recipients[0]:1005"}},
		{"two recipients", `{"destination":"ID","recipients":["ID","OTHER"]}`, []string{"recipients:1000"}},
		{"merchant and executor", withTask(`"merchant":"x","executor":"y"`), []string{"merchant:1005", "executor:1005"}},
		{"null merchant", withTask(`"merchant":null`), nil},
		{"times in order", withTask(`"completeAfter":<1h>,"completeBefore":<2h>`), nil},
		{"times in the past", withTask(`"completeAfter":<-2h>,"completeBefore":<-1h>`), nil},
		{"times reversed", withTask(`"completeAfter":<2h>,"completeBefore":<1h>`), []string{"completeBefore:1009"}},
		{"times equal", withTask(`"completeAfter":<1h>,"completeBefore":<1h>`), []string{"completeBefore:1009"}},
		{"time in seconds", withTask(`"completeAfter":<s1h>,"completeBefore":<1h>`), []string{"completeAfter:1009"}},
		{"time beyond reason", withTask(`"completeBefore":9000000000000000000`), []string{"completeBefore:1009"}},
		{"null times", withTask(`"completeAfter":null,"completeBefore":<1h>`), nil},
		{"type and pickupTask agree", withTask(`"type":0,"pickupTask":true`), nil},
		{"type and pickupTask agree on drop-off", withTask(`"type":1,"pickupTask":false`), nil},
		{"type contradicts pickupTask", withTask(`"type":0,"pickupTask":false`), []string{"type:1000"}},
		{"type 1 contradicts pickupTask", withTask(`"type":1,"pickupTask":true`), []string{"type:1000"}},
		{"type unknown", withTask(`"type":4`), []string{"type:1000"}},
		{"type 3", withTask(`"type":3`), nil},
		{"dependencies", withTask(`"dependencies":["ID","x"]`), []string{"dependencies[1]:1005"}},
		{"notes at the limit", withTask(`"notes":"` + strings.Repeat("ä", MaxTaskNotes) + `"`), nil},
		{"notes beyond it", withTask(`"notes":"` + strings.Repeat("ä", MaxTaskNotes+1) + `"`), []string{"notes:1000"}},
		{"autoAssign", withTask(`"autoAssign":{"mode":"distance","team":"ID","maxAssignedTaskCount":3,"excludedWorkerIds":["ID"]}`), nil},
		{"autoAssign by load", withTask(`"autoAssign":{"mode":"load"}`), nil},
		{"autoAssign without mode", withTask(`"autoAssign":{}`), []string{"autoAssign.mode:1900"}},
		{"autoAssign unknown mode", withTask(`"autoAssign":{"mode":"random"}`), []string{"autoAssign.mode:1000"}},
		{
			"autoAssign broken", withTask(`"autoAssign":{"mode":"load","team":"x","maxAssignedTaskCount":0,"excludedWorkerIds":["y"]}`),
			[]string{"autoAssign.team:1005", "autoAssign.maxAssignedTaskCount:1000", "autoAssign.excludedWorkerIds[0]:1005"},
		},
		{"autoAssign with container", withTask(`"autoAssign":{"mode":"load"},"container":{"type":"TEAM","team":"ID"}`), []string{"autoAssign:1000"}},
		{"autoAssign with null container", withTask(`"autoAssign":{"mode":"load"},"container":null`), nil},
		{"container of a worker", withTask(`"container":{"type":"WORKER","worker":"ID"}`), nil},
		{"container of the organization", withTask(`"container":{"type":"ORGANIZATION"}`), nil},
		{"container without type", withTask(`"container":{"worker":"ID"}`), []string{"container.type:1900"}},
		{"container of unknown type", withTask(`"container":{"type":"worker","worker":"ID"}`), []string{"container.type:1000"}},
		{"container without owner", withTask(`"container":{"type":"WORKER"}`), []string{"container.worker:1900"}},
		{"container with malformed owner", withTask(`"container":{"type":"TEAM","team":"x"}`), []string{"container.team:1005"}},
		{"quantities", withTask(`"quantity":2.5,"additionalQuantities":{"quantityA":1,"quantityB":0,"quantityC":3},"serviceTime":0`), nil},
		{
			"negative quantities", withTask(`"quantity":-1,"additionalQuantities":{"quantityA":-1,"quantityC":-2},"serviceTime":-1`),
			[]string{"quantity:1000", "additionalQuantities.quantityA:1000", "additionalQuantities.quantityC:1000", "serviceTime:1000"},
		},
		{"overrides", withTask(`"recipientName":"B","recipientNotes":"n","recipientSkipSMSNotifications":true,"useMerchantForProxy":true`), nil},
		{"requirements", withTask(`"requirements":{"signature":true,"photo":false,"notes":true,"minimumAge":21}`), nil},
		{"minimum age", withTask(`"requirements":{"minimumAge":-1}`), []string{"requirements.minimumAge:1000"}},
		{"barcode", withTask(`"barcode":[{"data":"aGVsbG8=","blockCompletion":true},{}],"scanOnlyRequiredBarcodes":true`), nil},
		{"barcodes", withTask(`"barcodes":[{"data":"aGVsbG8"}]`), nil},
		{"barcode at the limit", withTask(`"barcodes":[{"data":"` + strings.Repeat("A", 500) + `"}]`), nil},
		{"barcode too long", withTask(`"barcodes":[{"data":"` + strings.Repeat("A", 501) + `"}]`), []string{"barcodes[0].data:1000"}},
		{"barcode not base64", withTask(`"barcode":[{"data":"not base64!"}]`), []string{"barcode[0].data:1000"}},
		{"barcodes under both names", withTask(`"barcode":[],"barcodes":[]`), []string{"barcodes:1001"}},
		{"triangle teal", withTask(`"appearance":{"triangleColor":0}`), nil},
		{"triangle orange", withTask(`"appearance":{"triangleColor":1}`), nil},
		{"triangle magenta", withTask(`"appearance":{"triangleColor":2}`), nil},
		{"triangle none", withTask(`"appearance":{"triangleColor":null}`), nil},
		{"triangle unknown", withTask(`"appearance":{"triangleColor":3}`), []string{"appearance.triangleColor:1000"}},
		{"metadata", withTask(`"metadata":[{"name":"a","type":"string","value":"x"},{"name":"","type":"string","value":"x"}]`), []string{"metadata[1].name:1900"}},
		{"custom fields", withTask(`"customFields":[{"key":"k","value":1},{"value":2}]`), []string{"customFields[1].key:1900"}},
		{"template", withTask(`"template":"x"`), []string{"template:1005"}},
	})
}

func TestTaskInputReadsBothNames(t *testing.T) {
	require.True(t, TaskInput{PickupTask: Some(true)}.IsPickup())
	require.True(t, TaskInput{Type: Some(TypePickup)}.IsPickup())
	require.False(t, TaskInput{Type: Some(TypeDropoff)}.IsPickup())
	require.False(t, TaskInput{}.IsPickup())
	codes := []RequiredBarcode{{BlockCompletion: true}}
	require.Equal(t, Some(codes), TaskInput{Barcode: Some(codes)}.RequiredBarcodes())
	require.Equal(t, Some(codes), TaskInput{Barcodes: Some(codes)}.RequiredBarcodes())
	require.True(t, TaskInput{}.RequiredBarcodes().IsZero())
}

func TestTaskUpdateRules(t *testing.T) {
	for _, state := range []TaskState{TaskUnassigned, TaskAssigned} {
		current := &Task{ID: ruleID, State: state, CompleteAfter: Some(ruleNow.Add(time.Hour)), CompleteBefore: Some(ruleNow.Add(3 * time.Hour))}
		check := func(in TaskInput) Problems { return in.CheckUpdate(current) }
		checkRules(t, check, []ruleCase{
			{"nothing", `{}`, nil},
			{"by id", `{"destination":"OTHER","recipients":["OTHER"]}`, nil},
			{"no recipient", `{"recipients":[]}`, nil},
			{"recipient cleared", `{"recipients":null}`, nil},
			{"destination cleared", `{"destination":null}`, []string{"destination:1000"}},
			{"destination embedded", `{"destination":{"address":{"unparsed":"x"}}}`, []string{"destination:1000"}},
			{"destination malformed", `{"destination":"x"}`, []string{"destination:1005"}},
			{"recipient embedded", `{"recipients":[{"name":"A"}]}`, []string{"recipients[0]:1000"}},
			{"two recipients", `{"recipients":["ID","OTHER"]}`, []string{"recipients:1000"}},
			{"deadline before the stored start", `{"completeBefore":<30m>}`, []string{"completeBefore:1009"}},
			{"start after the stored deadline", `{"completeAfter":<4h>}`, []string{"completeBefore:1009"}},
			{"start after a cleared deadline", `{"completeAfter":<4h>,"completeBefore":null}`, nil},
			{"both moved", `{"completeAfter":<5h>,"completeBefore":<6h>}`, nil},
			{"notes too long", `{"notes":"` + strings.Repeat("x", MaxTaskNotes+1) + `"}`, []string{"notes:1000"}},
			{"depends on itself", `{"dependencies":["ID"]}`, []string{"dependencies:1000"}},
			{"container", `{"container":{"type":"WORKER","worker":"ID"}}`, nil},
			{"autoAssign with container", `{"autoAssign":{"mode":"load"},"container":{"type":"WORKER","worker":"ID"}}`, []string{"autoAssign:1000"}},
			{"type mismatch", `{"type":1,"pickupTask":true}`, []string{"type:1000"}},
		})
	}
	active := &Task{State: TaskActive}
	checkRules(t, func(in TaskInput) Problems { return in.CheckUpdate(active) }, []ruleCase{
		{"active: notes and metadata", `{"notes":"n","metadata":[]}`, nil},
		{"active: others", `{"quantity":1,"notes":"n","container":{"type":"ORGANIZATION"}}`, []string{"container:1000", "quantity:1000"}},
		{"active: custom fields", `{"customFields":[]}`, []string{"customFields:1000"}},
	})
	completed := &Task{State: TaskCompleted}
	checkRules(t, func(in TaskInput) Problems { return in.CheckUpdate(completed) }, []ruleCase{
		{"completed: metadata and custom fields", `{"metadata":[],"customFields":[]}`, nil},
		{"completed: notes", `{"notes":"n"}`, []string{"notes:1000"}},
		{"completed: null is a change too", `{"completeBefore":null}`, []string{"completeBefore:1000"}},
	})
}

func TestMembersNamesEveryMemberOfATaskInput(t *testing.T) {
	all := fill(`{"destination":"ID","recipients":[],"merchant":null,"executor":null,"completeAfter":null,"completeBefore":null,
		"pickupTask":true,"type":0,"dependencies":[],"notes":"","autoAssign":null,"container":null,"quantity":1,
		"additionalQuantities":{},"serviceTime":1,"recipientName":"","recipientNotes":"","recipientSkipSMSNotifications":false,
		"useMerchantForProxy":false,"requirements":{},"scanOnlyRequiredBarcodes":false,"barcode":[],"barcodes":[],
		"appearance":{},"metadata":[],"customFields":[],"template":null}`)
	var in TaskInput
	require.NoError(t, Unmarshal([]byte(all), &in))
	require.Empty(t, in.Extra)
	encoded, err := Marshal(in)
	require.NoError(t, err)
	var members map[string]Raw
	require.NoError(t, Unmarshal(encoded, &members))
	require.Len(t, in.Members(), len(members))
	for _, name := range in.Members() {
		require.Contains(t, members, name)
	}
}

func TestWhatTaskStatesAllow(t *testing.T) {
	unknown := TaskState(7)
	states := []TaskState{TaskUnassigned, TaskAssigned, TaskActive, TaskCompleted, unknown}
	tests := []struct {
		name    string
		reason  func(TaskState) string
		allowed [5]bool
	}{
		{"update notes", func(s TaskState) string { return UpdateForbidden(s, "notes") }, [5]bool{true, true, true, false, true}},
		{"update metadata", func(s TaskState) string { return UpdateForbidden(s, "metadata") }, [5]bool{true, true, true, true, true}},
		{"update custom fields", func(s TaskState) string { return UpdateForbidden(s, "customFields") }, [5]bool{true, true, false, true, true}},
		{"update destination", func(s TaskState) string { return UpdateForbidden(s, "destination") }, [5]bool{true, true, false, false, true}},
		{"delete", DeleteForbidden, [5]bool{true, true, false, false, true}},
		{"complete", CompleteForbidden, [5]bool{false, false, true, false, true}},
		{"assign", AssignForbidden, [5]bool{true, true, false, false, true}},
		{"unassign", UnassignForbidden, [5]bool{false, true, false, false, true}},
		{"clone", CloneForbidden, [5]bool{true, true, true, true, true}},
		{"start", func(s TaskState) string { return StartForbidden(s, 0) }, [5]bool{false, true, false, false, true}},
		{"start with open dependencies", func(s TaskState) string { return StartForbidden(s, 1) }, [5]bool{}},
		{"start with many open dependencies", func(s TaskState) string { return StartForbidden(s, 2) }, [5]bool{}},
	}
	for _, test := range tests {
		for i, state := range states {
			require.Equal(t, test.allowed[i], test.reason(state) == "", "%s in state %s", test.name, state)
		}
	}
}

func TestAutoAssignRequestRules(t *testing.T) {
	checkRules(t, AutoAssignRequest.Check, []ruleCase{
		{"least", `{"tasks":["ID"]}`, nil},
		{"all options", `{"tasks":["ID"],"options":{"mode":"load","teams":["ID"],"maxAssignedTaskCount":1,"excludedWorkerIds":["ID"]}}`, nil},
		{"nothing", `{"tasks":[]}`, []string{"tasks:1900"}},
		{
			"everything wrong", `{"tasks":["x"],"options":{"mode":"fast","teams":["y"],"maxAssignedTaskCount":0,"excludedWorkerIds":["z"]}}`,
			[]string{"tasks[0]:1005", "options.mode:1000", "options.teams[0]:1005", "options.maxAssignedTaskCount:1000", "options.excludedWorkerIds[0]:1005"},
		},
	})
}

func TestCompleteRules(t *testing.T) {
	checkRules(t, CompleteRequest.Check, []ruleCase{
		{"succeeded", `{"completionDetails":{"success":true}}`, nil},
		{"failed", `{"completionDetails":{"success":false,"notes":"no one there"}}`, nil},
		{"silent", `{"completionDetails":{"notes":"x"}}`, []string{"completionDetails.success:1900"}},
		{"null", `{"completionDetails":{"success":null}}`, []string{"completionDetails.success:1900"}},
		{"empty", `{}`, []string{"completionDetails.success:1900"}},
	})
}

func TestCloneRules(t *testing.T) {
	check := func(in CloneRequest) Problems { return in.Effective().Check(ruleContext) }
	wrap := func(overrides string) string { return `{"options":{"overrides":{` + overrides + `}}}` }
	checkRules(t, check, []ruleCase{
		{"nothing", `{}`, nil},
		{"flags", `{"options":{"includeMetadata":true,"includeBarcodes":true,"includeDependencies":true}}`, nil},
		{"flags at the top", `{"includeMetadata":true,"overrides":{"completeAfter":<-1h>}}`, []string{"overrides.completeAfter:1009"}},
		{"all overrides", wrap(`"destination":"ID","recipients":["ID"],"notes":"n","pickupTask":true,"serviceTime":5,"metadata":[],"completeAfter":<1h>,"completeBefore":<2h>`), nil},
		{"destination embedded", wrap(`"destination":{"address":{"unparsed":"x"}}`), nil},
		{"destination broken", wrap(`"destination":{}`), []string{"overrides.destination.address:1900"}},
		{"two recipients", wrap(`"recipients":["ID","OTHER"]`), []string{"overrides.recipients:1000"}},
		{"recipient broken", wrap(`"recipients":[{"name":"A","phone":"1"}]`), []string{"overrides.recipients[0].phone:1000"}},
		{"start in the past", wrap(`"completeAfter":<-1m>`), []string{"overrides.completeAfter:1009"}},
		{"start now", wrap(`"completeAfter":<0s>`), []string{"overrides.completeAfter:1009"}},
		{"deadline in the past", wrap(`"completeBefore":<-1m>`), []string{"overrides.completeBefore:1009"}},
		{"reversed", wrap(`"completeAfter":<2h>,"completeBefore":<1h>`), []string{"overrides.completeBefore:1009"}},
		{"deadline alone", wrap(`"completeBefore":<1h>`), nil},
		{"seconds", wrap(`"completeBefore":<s1h>`), []string{"overrides.completeBefore:1009"}},
		{"notes, service time and metadata", wrap(`"notes":"` + strings.Repeat("x", MaxTaskNotes+1) + `","serviceTime":-1,"metadata":[{"name":"a","type":"x"}]`), []string{"overrides.notes:1000", "overrides.serviceTime:1000", "overrides.metadata[0].type:1000"}},
	})
}

func TestBatchRules(t *testing.T) {
	check := func(in BatchRequest) Problems { return in.Check(ruleContext) }
	repeat := func(n int) string {
		return `{"tasks":[` + strings.TrimSuffix(strings.Repeat(withTask("")+",", n), ",") + `]}`
	}
	checkRules(t, check, []ruleCase{
		{"one", repeat(1), nil},
		{"none", `{"tasks":[]}`, []string{"tasks:1900"}},
		{"missing", `{}`, []string{"tasks:1900"}},
		{"at the limit", repeat(MaxBatchTasks), nil},
		{"one too many", repeat(MaxBatchTasks + 1), []string{"tasks:1000"}},
		{"a bad row", `{"tasks":[` + withTask("") + `,` + withTask(`"completeBefore":5`) + `]}`, []string{"tasks[1].completeBefore:1009"}},
		{"autoAssign", `{"tasks":[` + withTask(`"autoAssign":{"mode":"load"}`) + `]}`, []string{"tasks[0].autoAssign:1000"}},
		{"worker", `{"tasks":[` + withTask(`"container":{"type":"WORKER","worker":"ID"}`) + `]}`, []string{"tasks[0].container:1000"}},
		{"team", `{"tasks":[` + withTask(`"container":{"type":"TEAM","team":"ID"}`) + `]}`, nil},
	})
}

func TestContainerRules(t *testing.T) {
	worker := func(in ContainerUpdate) Problems { return in.Check(ContainerWorker) }
	checkRules(t, worker, []ruleCase{
		{"replace", `{"tasks":["ID","OTHER"]}`, nil},
		{"empty", `{"tasks":[]}`, nil},
		{"append", `{"tasks":[-1,"ID"],"considerDependencies":true}`, nil},
		{"prepend", `{"tasks":[0,"ID"]}`, nil},
		{"at index", `{"tasks":[5,"ID"]}`, nil},
		{"bad index", `{"tasks":[-2,"ID"]}`, []string{"tasks[0]:1000"}},
		{"nothing to insert", `{"tasks":[-1]}`, []string{"tasks:1900"}},
		{"malformed", `{"tasks":[-1,"ID","x"]}`, []string{"tasks[2]:1005"}},
		{"twice", `{"tasks":["ID","ID"]}`, []string{"tasks[1]:1000"}},
	})
	for _, kind := range []ContainerType{ContainerTeam, ContainerOrganization} {
		check := func(in ContainerUpdate) Problems { return in.Check(kind) }
		checkRules(t, check, []ruleCase{
			{"insert", `{"tasks":[-1,"ID"]}`, nil},
			{"replace", `{"tasks":["ID"]}`, []string{"tasks:1000"}},
		})
	}
	requireProblems(t, CheckContainerSize(MaxContainerTasks))
	requireProblems(t, CheckContainerSize(MaxContainerTasks+1), "tasks:1000")
}

func TestWhatOtherStatesAllow(t *testing.T) {
	for status, allowed := range map[OrderStatus][2]bool{
		OrderUnassigned: {true, true}, OrderAssigned: {true, true}, OrderActive: {false, false}, OrderCompleted: {false, false},
		OrderFailed: {false, false}, OrderCancelled: {false, false}, OrderRejected: {false, false}, "QUOTED": {true, true},
	} {
		require.Equal(t, allowed[0], UpdateOrderForbidden(status) == "", status)
		require.Equal(t, allowed[1], CancelOrderForbidden(status) == "", status)
		require.Equal(t, allowed[1], RejectOrderForbidden(status) == "", status)
	}
	require.Empty(t, DeleteTeamForbidden(&Team{}))
	require.Contains(t, DeleteTeamForbidden(&Team{Workers: []ID{ruleID}}), "1 worker")
	require.Contains(t, DeleteTeamForbidden(&Team{Workers: []ID{ruleID, otherRuleID}}), "2 workers")
	require.False(t, WorkerOffDuty.TakesTasks())
	require.True(t, WorkerIdle.TakesTasks())
	require.True(t, WorkerActive.TakesTasks())
}
