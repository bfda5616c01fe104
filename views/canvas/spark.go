package canvas

import "slices"

// Spark draws a trend in one row: one glyph per value, the newest at the right
// end, as many as fit in width. The scale covers the values shown, and at least
// a quarter of the highest, so that small changes do not look large. Only zero
// is drawn with the lowest glyph.
func Spark(values []int, width int, levels []string) string {
	if width <= 0 || len(levels) < 2 {
		return ""
	}
	values = values[max(len(values)-width, 0):]
	dst := make([]byte, 0, width*3)
	for range width - len(values) {
		dst = append(dst, ' ')
	}
	if len(values) == 0 {
		return string(dst)
	}
	lowest, highest := slices.Min(values), slices.Max(values)
	span := max(float64(highest-lowest), float64(highest)/4, 3)
	bottom := float64(lowest+highest)/2 - span/2
	steps := len(levels) - 1
	for _, v := range values {
		level := 0
		if v > 0 {
			share := (float64(v) - bottom) / span
			level = 1 + int(share*float64(steps-1)+0.5)
		}
		dst = append(dst, levels[min(max(level, 0), steps)]...)
	}
	return string(dst)
}
