package canvas

import "slices"

// Spark is a trend in one row, the newest value at its right end: one glyph a
// value, low to high, as many as fit in width. The scale runs over the values
// shown with some room on either side, and over no less than a quarter of the
// highest, so that movement is seen and a tremble does not look like an
// upheaval. Zero is always the lowest glyph and nothing else is.
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

// Bar is a share of a whole as a row of cells, for load against capacity. Any
// share shows at least one filled cell, and only a full one shows all.
func Bar(part, whole, width int, full, empty string) string {
	if width <= 0 {
		return ""
	}
	filled := 0
	if whole > 0 && part > 0 {
		filled = min(max(part*width/whole, 1), width)
	}
	dst := make([]byte, 0, width*3)
	for i := range width {
		if i < filled {
			dst = append(dst, full...)
		} else {
			dst = append(dst, empty...)
		}
	}
	return string(dst)
}
