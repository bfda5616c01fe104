package theme

import "strings"

// NoColor reports whether the person asked for no colour: NO_COLOR set to
// anything but the empty string, "0" and "false" included, as no-color.org
// defines it. getenv is os.Getenv or the environment of an SSH session.
func NoColor(getenv func(string) string) bool { return getenv("NO_COLOR") != "" }

// FromEnvironment settles name and depth from the environment. An explicit choice by
// flag or settings (anything but [Auto]) wins over NO_COLOR, because it was
// made for this program; a terminal that cannot show colour always wins.
func FromEnvironment(requested Name, getenv func(string) string) (Name, Depth) {
	term := getenv("TERM")
	switch {
	case term == "dumb" || strings.HasSuffix(term, "-m"):
		return Mono, DepthNone
	case requested == Auto || requested == "":
		if NoColor(getenv) {
			return Mono, DepthNone
		}
		requested = Auto
	case requested == Mono:
		return Mono, DepthNone
	}
	return requested, depthOf(term, getenv("COLORTERM"))
}

// depthOf guesses the depth the way terminals advertise it. Guessing low is
// harmless, guessing high shows wrong colours.
func depthOf(term, colorterm string) Depth {
	switch {
	case colorterm != "", strings.Contains(term, "256color"), strings.Contains(term, "direct"):
		return Depth256
	case strings.HasPrefix(term, "xterm-"), strings.HasPrefix(term, "alacritty"), strings.HasPrefix(term, "foot"):
		return Depth256
	default:
		return Depth16
	}
}
