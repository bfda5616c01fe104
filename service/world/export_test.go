package world

// KnownWorkers is how many workers a Refresher remembers something of.
func (r *EstimateUpdater) KnownWorkers() int { return max(len(r.routes), len(r.active), len(r.lists)) }
