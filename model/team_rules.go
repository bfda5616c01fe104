package model

// Check reports what is wrong with a team to be created. Whether its name is taken is for the service to find out.
func (in TeamInput) Check() Problems {
	var ps Problems
	ps.checkRequired("name", in.Name.Value(), "The team's name")
	if !in.Workers.Has() {
		ps.add("workers", ErrorMissing, "The ids of the team's workers are required, or an empty list.")
	}
	if !in.Managers.Has() {
		ps.add("managers", ErrorMissing, "The ids of the team's managers are required, or an empty list.")
	}
	ps.checkTeamMembers(in)
	return ps
}

// CheckUpdate reports what is wrong with a change of a team.
func (in TeamInput) CheckUpdate() Problems {
	var ps Problems
	if in.Name.Present() {
		ps.checkRequired("name", in.Name.Value(), "The team's name")
	}
	ps.checkTeamMembers(in)
	return ps
}

func (ps *Problems) checkTeamMembers(in TeamInput) {
	ps.checkIDs("workers", in.Workers.Value())
	ps.checkIDs("managers", in.Managers.Value())
	ps.checkOptionalID("hub", in.Hub)
	ps.checkMetadata("metadata", in.Metadata.Value())
}

// Check reports what is wrong with a hub to be created.
func (in HubInput) Check(ctx CheckContext) Problems {
	var ps Problems
	ps.checkRequired("name", in.Name.Value(), "The hub's name")
	if !in.Address.Has() {
		ps.add("address", ErrorMissing, "The hub's address is required.")
	}
	ps.checkHubMembers(in, ctx)
	return ps
}

// CheckUpdate reports what is wrong with a change of a hub.
func (in HubInput) CheckUpdate(ctx CheckContext) Problems {
	var ps Problems
	if in.Name.Present() {
		ps.checkRequired("name", in.Name.Value(), "The hub's name")
	}
	if in.Address.IsNull() {
		ps.add("address", ErrorInvalid, "The address cannot be cleared.")
	}
	ps.checkHubMembers(in, ctx)
	return ps
}

func (ps *Problems) checkHubMembers(in HubInput, ctx CheckContext) {
	if address, ok := in.Address.Get(); ok {
		ps.checkAddress("address", address, in.Location, needsStreet)
	}
	ps.checkLocation("location", in.Location)
	ps.checkIDs("teams", in.Teams.Value())
	ps.checkOptionalPhone(in.Phone, ctx)
}

func (ps *Problems) checkOptionalPhone(phone Opt[string], ctx CheckContext) {
	if number := phone.Value(); !isBlank(number) {
		_, problems := NormalizePhone(number, ctx.Country)
		ps.addWithin("phone", problems)
	}
}
