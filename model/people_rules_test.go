package model

import "testing"

func withWorker(members string) string {
	if members != "" {
		members = "," + members
	}
	return `{"name":"Bo","phone":"650-253-0000","teams":["ID"]` + members + `}`
}

func TestWorkerRules(t *testing.T) {
	check := func(in WorkerInput) Problems { return in.Check(ruleContext) }
	checkRules(t, check, []ruleCase{
		{"least", withWorker(""), nil},
		{"nothing", `{}`, []string{"name:1900", "phone:1900", "teams:1900"}},
		{"no team", `{"name":"Bo","phone":"650-253-0000","teams":[]}`, []string{"teams:1900"}},
		{"malformed team", `{"name":"Bo","phone":"650-253-0000","teams":["ID","x"]}`, []string{"teams[1]:1005"}},
		{"bad phone", `{"name":"Bo","phone":"123","teams":["ID"]}`, []string{"phone:1000"}},
		{"foreign phone", `{"name":"Bo","phone":"+49 30 901820","teams":["ID"]}`, nil},
		{"car", withWorker(`"vehicle":{"type":"CAR","description":"Tesla","licensePlate":"X","color":"red"}`), nil},
		{"motorcycle", withWorker(`"vehicle":{"type":"MOTORCYCLE"}`), nil},
		{"bicycle", withWorker(`"vehicle":{"type":"BICYCLE"}`), nil},
		{"truck", withWorker(`"vehicle":{"type":"TRUCK"}`), nil},
		{"on foot", withWorker(`"vehicle":null`), nil},
		{"no vehicle type", withWorker(`"vehicle":{"color":"red"}`), []string{"vehicle.type:1900"}},
		{"unknown vehicle type", withWorker(`"vehicle":{"type":"car"}`), []string{"vehicle.type:1000"}},
		{"capacities", withWorker(`"capacity":0,"additionalCapacities":{"capacityA":1}`), nil},
		{
			"negative capacities", withWorker(`"capacity":-1,"additionalCapacities":{"capacityA":-1,"capacityB":-1,"capacityC":-1}`),
			[]string{"capacity:1000", "additionalCapacities.capacityA:1000", "additionalCapacities.capacityB:1000", "additionalCapacities.capacityC:1000"},
		},
		{"routing by id", withWorker(`"addresses":{"routing":"ID"}`), nil},
		{"routing under the other name", withWorker(`"address":{"routing":"x"}`), []string{"address.routing:1005"}},
		{"routing cleared", withWorker(`"addresses":{"routing":null}`), nil},
		{"routing object", withWorker(`"addresses":{"routing":{"location":[1,2],"address":{"city":"C","country":"D"}}}`), nil},
		{
			"routing without location", withWorker(`"addresses":{"routing":{"address":{"number":"1","street":"S","city":"C","country":"D"}}}`),
			[]string{"addresses.routing.location:1900"},
		},
		{"routing without address", withWorker(`"addresses":{"routing":{"location":[1,2]}}`), []string{"addresses.routing.address:1900"}},
		{"time zone", withWorker(`"timezone":"America/Los_Angeles"`), nil},
		{"unknown time zone", withWorker(`"timezone":"Mars/Olympus"`), []string{"timezone:1000"}},
		{"metadata", withWorker(`"metadata":[{"name":"a","type":"number","value":1}],"displayName":"B"`), nil},
	})
	checkRules(t, WorkerInput.CheckUpdate, []ruleCase{
		{"nothing", `{}`, nil},
		{"capacity", `{"capacity":5,"vehicle":null}`, nil},
		{"name", `{"name":null}`, []string{"name:1900"}},
		{"phone", `{"phone":"+16502530000"}`, []string{"phone:1000"}},
		{"last team", `{"teams":[]}`, []string{"teams:1900"}},
		{"malformed team", `{"teams":["x"]}`, []string{"teams[0]:1005"}},
	})
}

func TestScheduleRules(t *testing.T) {
	// 2026-11-20 begins at 08:00 UTC in Los Angeles; ruleNow is 06:00 there.
	entry := func(shifts string) string {
		return `{"entries":[{"date":"2026-11-20","timezone":"America/Los_Angeles","shifts":` + shifts + `}]}`
	}
	checkRules(t, Schedule.Check, []ruleCase{
		{"empty", `{"entries":[]}`, nil},
		{"two shifts", entry(`[[<3h>,<7h>],[<8h>,<12h>]]`), nil},
		{"no shift", entry(`[]`), nil},
		{"over midnight", entry(`[[<16h>,<24h>]]`), nil},
		{"touching", entry(`[[<3h>,<7h>],[<7h>,<12h>]]`), nil},
		{"overlapping", entry(`[[<3h>,<7h>],[<6h>,<12h>]]`), []string{"entries[0].shifts[1]:1009"}},
		{"reversed", entry(`[[<7h>,<3h>]]`), []string{"entries[0].shifts[0]:1009"}},
		{"the day before", entry(`[[<-7h>,<-6h>]]`), []string{"entries[0].shifts[0]:1009"}},
		{"the day after", entry(`[[<18h>,<19h>]]`), []string{"entries[0].shifts[0]:1009"}},
		{"seconds", entry(`[[<s3h>,<s7h>]]`), []string{"entries[0].shifts[0]:1009"}},
		{"bad date", `{"entries":[{"date":"20.11.2026","timezone":"UTC","shifts":[]}]}`, []string{"entries[0].date:1000"}},
		{"impossible date", `{"entries":[{"date":"2026-02-30","timezone":"UTC","shifts":[]}]}`, []string{"entries[0].date:1000"}},
		{"no zone", `{"entries":[{"date":"2026-11-20","shifts":[]}]}`, []string{"entries[0].timezone:1900"}},
		{"bad zone", `{"entries":[{"date":"2026-11-20","timezone":"PST8","shifts":[]}]}`, []string{"entries[0].timezone:1000"}},
		{
			"a day twice", `{"entries":[{"date":"2026-11-20","timezone":"UTC","shifts":[]},{"date":"2026-11-20","timezone":"UTC","shifts":[]}]}`,
			[]string{"entries[1].date:1000"},
		},
	})
}

func TestTeamRules(t *testing.T) {
	checkRules(t, TeamInput.Check, []ruleCase{
		{"least", `{"name":"North","workers":[],"managers":[]}`, nil},
		{"all", `{"name":"North","workers":["ID"],"managers":["ID"],"hub":"ID","enableSelfAssignment":true}`, nil},
		{"nothing", `{}`, []string{"name:1900", "workers:1900", "managers:1900"}},
		{"malformed", `{"name":"N","workers":["x"],"managers":["y"],"hub":"z"}`, []string{"workers[0]:1005", "managers[0]:1005", "hub:1005"}},
	})
	checkRules(t, TeamInput.CheckUpdate, []ruleCase{
		{"nothing", `{}`, nil},
		{"hub cleared", `{"hub":null}`, nil},
		{"name cleared", `{"name":null}`, []string{"name:1900"}},
		{"malformed", `{"workers":["x"]}`, []string{"workers[0]:1005"}},
	})
}

func TestHubRules(t *testing.T) {
	check := func(in HubInput) Problems { return in.Check(ruleContext) }
	checkRules(t, check, []ruleCase{
		{"fine", `{"name":"Depot","address":{"number":"1","street":"S","city":"C","country":"D"},"teams":["ID"],"phone":"650-253-0000"}`, nil},
		{"in one line", `{"name":"Depot","address":{"unparsed":"1 S, C, D"}}`, nil},
		{"nothing", `{}`, []string{"name:1900", "address:1900"}},
		{"wrong", `{"name":"D","address":{"unparsed":"x"},"location":[0,91],"teams":["x"],"phone":"1"}`, []string{"address.unparsed:1000", "location:1000", "teams[0]:1005", "phone:1000"}},
	})
	update := func(in HubInput) Problems { return in.CheckUpdate(ruleContext) }
	checkRules(t, update, []ruleCase{
		{"nothing", `{}`, nil},
		{"phone cleared", `{"phone":null}`, nil},
		{"cleared", `{"name":null,"address":null}`, []string{"name:1900", "address:1000"}},
	})
}
