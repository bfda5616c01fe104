package canvas

// clip clips a line to the rectangle from zero to maxX and maxY, ends included,
// and reports whether anything is left. It is the algorithm of Liang and Barsky:
// the share of the line that is inside is narrowed edge by edge.
func clip(x0, y0, x1, y1, maxX, maxY int) (cx0, cy0, cx1, cy1 int, ok bool) {
	dx, dy := float64(x1-x0), float64(y1-y0)
	from, to := 0.0, 1.0
	narrow := func(direction, distance float64) bool {
		switch {
		case direction == 0:
			return distance >= 0
		case direction < 0:
			from = max(from, distance/direction)
		default:
			to = min(to, distance/direction)
		}
		return from <= to
	}
	inside := narrow(-dx, float64(x0)) && narrow(dx, float64(maxX-x0)) &&
		narrow(-dy, float64(y0)) && narrow(dy, float64(maxY-y0))
	if !inside {
		return 0, 0, 0, 0, false
	}
	at := func(start int, delta, share float64, limit int) int {
		return min(max(int(float64(start)+delta*share+0.5), 0), limit)
	}
	return at(x0, dx, from, maxX), at(y0, dy, from, maxY), at(x0, dx, to, maxX), at(y0, dy, to, maxY), true
}
