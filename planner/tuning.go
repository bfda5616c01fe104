package planner

// tuning holds the numbers of the search, found by measuring over problems of 100 to 1,000 tasks.
type tuning struct {
	// hot and cold are the first and the last temperature over the mean leg of the first plan.
	hot, cold float64
	// removed is how many tasks a ruin takes out on average, in strings of up to longest.
	removed, longest float64
	// splitChance is how often a string leaves some of its middle in place, splitGrowth how often one task more.
	splitChance, splitGrowth float64
	// neighbours is how many tasks are tried before and after a task; near how many a ruin may spread to.
	neighbours, near int
	// partAbove is the number of tasks above which threads take parts of the plan; partSize is the most tasks in one.
	partAbove, partSize int
}

func defaultTuning() tuning {
	return tuning{
		hot: 1, cold: 0.03,
		removed: 10, longest: 10, splitChance: 0.5, splitGrowth: 0.01,
		neighbours: 30, near: 120,
		partAbove: 300, partSize: 500,
	}
}
