package planner

// tuning holds the parameters of the search, measured on problems of 100 to 1,000 tasks.
type tuning struct {
	// hot and cold are the first and the last temperature in mean legs of the first plan.
	hot, cold float64
	// removed is how many tasks a ruin removes on average, in strings of at most longest.
	removed, longest float64
	// splitChance is the chance that a string keeps tasks in its middle, splitGrowth the chance of each further task.
	splitChance, splitGrowth float64
	// neighbours is the length of the lists before and after, near that of the list near; see instance.
	neighbours, near int
	// partAbove is the number of tasks above which threads work on parts of the plan; partSize is the most tasks per part.
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
