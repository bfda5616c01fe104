package model

// Check reports what is wrong with a team to be created. Whether its name is taken is for the service to find out.
func (in TeamInput) Check() Problems {
	var ps Problems
	ps.need("name", in.Name.Value(), "The team's name")
	if !in.Workers.Has() {
		ps.add("workers", ErrorMissing, "The ids of the team's workers are required, or an empty list.")
	}
	if !in.Managers.Has() {
		ps.add("managers", ErrorMissing, "The ids of the team's managers are required, or an empty list.")
	}
	ps.teamMembers(in)
	return ps
}

// CheckUpdate reports what is wrong with a change of a team.
func (in TeamInput) CheckUpdate() Problems {
	var ps Problems
	if in.Name.Present() {
		ps.need("name", in.Name.Value(), "The team's name")
	}
	ps.teamMembers(in)
	return ps
}

func (ps *Problems) teamMembers(in TeamInput) {
	ps.ids("workers", in.Workers.Value())
	ps.ids("managers", in.Managers.Value())
	ps.optID("hub", in.Hub)
	ps.metadata("metadata", in.Metadata.Value())
}

// Check reports what is wrong with a hub to be created.
func (in HubInput) Check(ctx CheckContext) Problems {
	var ps Problems
	ps.need("name", in.Name.Value(), "The hub's name")
	if !in.Address.Has() {
		ps.add("address", ErrorMissing, "The hub's address is required.")
	}
	ps.hubMembers(in, ctx)
	return ps
}

// CheckUpdate reports what is wrong with a change of a hub.
func (in HubInput) CheckUpdate(ctx CheckContext) Problems {
	var ps Problems
	if in.Name.Present() {
		ps.need("name", in.Name.Value(), "The hub's name")
	}
	if in.Address.IsNull() {
		ps.add("address", ErrorInvalid, "The address cannot be cleared.")
	}
	ps.hubMembers(in, ctx)
	return ps
}

func (ps *Problems) hubMembers(in HubInput, ctx CheckContext) {
	if address, ok := in.Address.Get(); ok {
		ps.place("address", address, in.Location, needsStreet)
	}
	ps.location("location", in.Location)
	ps.ids("teams", in.Teams.Value())
	ps.optionalPhone(in.Phone, ctx)
}

func (ps *Problems) optionalPhone(phone Opt[string], ctx CheckContext) {
	if number := phone.Value(); !isBlank(number) {
		_, problems := NormalizePhone(number, ctx.Country)
		ps.within("phone", problems)
	}
}
