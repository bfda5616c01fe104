package canvas

// Spark is a trend in one row, the newest value at its right end: one glyph a
// value, low to high, as many as fit in width. The scale runs from zero to the
// highest value shown; a value above zero is never drawn as the lowest glyph,
// so that one late task among hundreds is still seen.
func Spark(values []int, width int, levels []string) string {
	if width <= 0 || len(levels) < 2 {
		return ""
	}
	values = values[max(len(values)-width, 0):]
	top := 1
	for _, v := range values {
		top = max(top, v)
	}
	dst := make([]byte, 0, width*3)
	for range width - len(values) {
		dst = append(dst, ' ')
	}
	steps := len(levels) - 1
	for _, v := range values {
		level := 0
		if v > 0 {
			level = max((v*steps+top/2)/top, 1)
		}
		dst = append(dst, levels[level]...)
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
