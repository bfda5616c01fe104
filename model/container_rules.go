package model

// MaxContainerTasks is how many tasks a container can hold.
const MaxContainerTasks = 10_000

// Check reports what is wrong with a reference to a container. The organization's own container needs no id.
func (c ContainerRef) Check() Problems {
	var ps Problems
	switch c.Type {
	case ContainerOrganization:
		ps.checkOptionalID("organization", c.Organization)
	case ContainerTeam:
		ps.checkContainerOwner("team", c.Team)
	case ContainerWorker:
		ps.checkContainerOwner("worker", c.Worker)
	case "":
		ps.add("type", ErrorMissing, "The container type is required: ORGANIZATION, TEAM or WORKER.")
	default:
		ps.add("type", ErrorInvalid, "Unknown container type %.40q. Use ORGANIZATION, TEAM or WORKER.",
			Clean(string(c.Type)))
	}
	return ps
}

func (ps *Problems) checkContainerOwner(field string, id Opt[ID]) {
	if owner, ok := id.Get(); ok {
		ps.checkID(field, owner)
	} else {
		ps.add(field, ErrorMissing, "The id of the %s is required.", field)
	}
}

// Check reports what is wrong with a change of a container of the given kind: tasks can be inserted into any, but
// only a worker's list can be replaced.
func (u ContainerUpdate) Check(kind ContainerType) Problems {
	var ps Problems
	position, inserts := u.Tasks.Index.Get()
	switch {
	case !inserts && kind != ContainerWorker:
		ps.add("tasks", ErrorInvalid,
			"Only the tasks of a worker can be replaced. To insert tasks, put the position first: -1 appends, 0 prepends.")
	case inserts && position < AppendTasks:
		ps.add("tasks[0]", ErrorInvalid, "The position must be -1 (at the end), 0 (at the start) or more.")
	case inserts && len(u.Tasks.IDs) == 0:
		ps.add("tasks", ErrorMissing, "List the tasks to insert after the position.")
	}
	offset := 0
	if inserts {
		offset = 1
	}
	for i, id := range u.Tasks.IDs {
		ps.checkID(elementPath("tasks", i+offset), id)
	}
	ps.checkUniqueTasks(offset, u.Tasks.IDs)
	if !inserts {
		ps = append(ps, CheckContainerSize(len(u.Tasks.IDs))...)
	}
	return ps
}

// checkUniqueTasks reports tasks that are listed twice. The first is at the index offset.
func (ps *Problems) checkUniqueTasks(offset int, tasks []ID) {
	seen := make(map[ID]bool, len(tasks))
	for i, id := range tasks {
		if seen[id] {
			ps.add(elementPath("tasks", i+offset), ErrorInvalid, "The task is listed twice.")
		}
		seen[id] = true
	}
}

// CheckContainerSize reports a container that would hold too many tasks.
func CheckContainerSize(tasks int) Problems {
	var ps Problems
	if tasks > MaxContainerTasks {
		ps.add("tasks", ErrorInvalid, "The container would have %d tasks; at most %d are allowed.", tasks, MaxContainerTasks)
	}
	return ps
}
