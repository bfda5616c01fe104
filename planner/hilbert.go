package planner

// hilbert numbers points of the plane along a Hilbert curve, which keeps neighbours together.
type hilbert struct {
	minLat, minLng float64
	scale          float64
}

const hilbertSide = 1 << 16

func newHilbert(places []Place) hilbert {
	if len(places) == 0 {
		return hilbert{}
	}
	low, high := places[0], places[0]
	for _, p := range places {
		low.Lat, low.Lng = min(low.Lat, p.Lat), min(low.Lng, p.Lng)
		high.Lat, high.Lng = max(high.Lat, p.Lat), max(high.Lng, p.Lng)
	}
	span := max(high.Lat-low.Lat, high.Lng-low.Lng)
	h := hilbert{minLat: low.Lat, minLng: low.Lng}
	if span > 0 {
		h.scale = (hilbertSide - 1) / span
	}
	return h
}

func (h hilbert) index(p Place) uint64 {
	x := uint64((p.Lng - h.minLng) * h.scale)
	y := uint64((p.Lat - h.minLat) * h.scale)
	index := uint64(0)
	for side := uint64(hilbertSide / 2); side > 0; side /= 2 {
		var right, up uint64
		if x&side > 0 {
			right = 1
		}
		if y&side > 0 {
			up = 1
		}
		index += side * side * ((3 * right) ^ up)
		if up == 0 {
			if right == 1 {
				x, y = hilbertSide-1-x, hilbertSide-1-y
			}
			x, y = y, x
		}
	}
	return index
}
