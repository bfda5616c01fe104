package world

// Remembered is how many workers a Refresher remembers something of.
func (r *Refresher) Remembered() int { return max(len(r.routes), len(r.active), len(r.lists)) }
