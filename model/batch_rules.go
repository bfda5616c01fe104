package model

// MaxBatchTasks is how many tasks one batch request may hold.
const MaxBatchTasks = 500

// Check reports everything that is wrong with a batch, each task under its own path: "tasks[17].notes".
func (r BatchRequest) Check(ctx CheckContext) Problems {
	ps := r.CheckSize()
	for i, task := range r.Tasks {
		ps.within(index("tasks", i), task.CheckInBatch(ctx))
	}
	return ps
}

// CheckSize reports what makes the whole request unacceptable. The tasks of an accepted request fail one by one.
func (r BatchRequest) CheckSize() Problems {
	var ps Problems
	switch n := len(r.Tasks); {
	case n == 0:
		ps.add("tasks", ErrorMissing, "At least one task is needed.")
	case n > MaxBatchTasks:
		ps.add("tasks", ErrorInvalid, "The batch has %d tasks; at most %d are allowed. Split it.", n, MaxBatchTasks)
	}
	return ps
}

// CheckInBatch reports what is wrong with a task of a batch. Such tasks are created unassigned.
func (in TaskInput) CheckInBatch(ctx CheckContext) Problems {
	ps := in.Check(ctx)
	if in.AutoAssign.Has() {
		ps.add("autoAssign", ErrorInvalid, "Tasks of a batch cannot be assigned automatically. Assign them once they are created.")
	}
	if container, ok := in.Container.Get(); ok && container.Type == ContainerWorker {
		ps.add("container", ErrorInvalid, "Tasks of a batch are created unassigned. Assign them once they are created.")
	}
	return ps
}
