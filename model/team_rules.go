package model

// Check reports what is wrong with a team to be created. Whether its name is taken is for the service to find out.
func (in TeamInput) Check() Problems { return in.check(true) }

// CheckUpdate reports what is wrong with a change of a team.
func (in TeamInput) CheckUpdate() Problems { return in.check(false) }

func (in TeamInput) check(creates bool) Problems {
	var ps Problems
	ps.checkName("name", in.Name, "The team's name", creates)
	if creates && !in.Workers.Has() {
		ps.add("workers", ErrorMissing, "The ids of the team's workers are required, or an empty list.")
	}
	if creates && !in.Managers.Has() {
		ps.add("managers", ErrorMissing, "The ids of the team's managers are required, or an empty list.")
	}
	ps.checkIDs("workers", in.Workers.Value())
	ps.checkIDs("managers", in.Managers.Value())
	ps.checkOptionalID("hub", in.Hub)
	ps.checkMetadata("metadata", in.Metadata.Value())
	return ps
}

// Check reports what is wrong with a hub to be created.
func (in HubInput) Check(ctx CheckContext) Problems { return in.check(ctx, true) }

// CheckUpdate reports what is wrong with a change of a hub.
func (in HubInput) CheckUpdate(ctx CheckContext) Problems { return in.check(ctx, false) }

func (in HubInput) check(ctx CheckContext, creates bool) Problems {
	var ps Problems
	ps.checkName("name", in.Name, "The hub's name", creates)
	switch address, ok := in.Address.Get(); {
	case ok:
		ps.checkAddress("address", address, in.Location, needsStreet)
	case creates:
		ps.add("address", ErrorMissing, "The hub's address is required.")
	case in.Address.IsNull():
		ps.add("address", ErrorInvalid, "The address cannot be cleared.")
	}
	ps.checkLocation("location", in.Location)
	ps.checkIDs("teams", in.Teams.Value())
	ps.checkOptionalPhone(in.Phone, ctx)
	return ps
}

func (ps *Problems) checkOptionalPhone(phone Opt[string], ctx CheckContext) {
	if number := phone.Value(); !isBlank(number) {
		_, problems := NormalizePhone(number, ctx.Country)
		ps.addWithin("phone", problems)
	}
}
