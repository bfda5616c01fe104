package theme

import (
	"cmp"
	"strings"
)

// FromEnvironment chooses name and depth from the environment. NO_COLOR with
// any value but the empty one turns colours off, as no-color.org defines it. A
// theme requested for this program (anything but [Auto]) wins over NO_COLOR; a
// terminal that cannot show colours wins over both. getenv is os.Getenv or
// reads the environment of an SSH session.
func FromEnvironment(requested Name, getenv func(string) string) (Name, Depth) {
	term := getenv("TERM")
	switch {
	case term == "dumb" || strings.HasSuffix(term, "-m"):
		return Mono, DepthNone
	case requested == Auto || requested == "":
		if getenv("NO_COLOR") != "" {
			return Mono, DepthNone
		}
		requested = Auto
	case requested == Mono:
		return Mono, DepthNone
	}
	return requested, depthOf(term, getenv("COLORTERM"))
}

// NeedsASCII reports that the locale of the environment is not UTF-8, so that the terminal may show other characters than
// ASCII as garbage. Without a locale it is false: most terminals are UTF-8.
func NeedsASCII(getenv func(string) string) bool {
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))
	language, charset, _ := strings.Cut(locale, ".")
	charset, _, _ = strings.Cut(charset, "@")
	switch strings.ToLower(strings.ReplaceAll(charset, "-", "")) {
	case "utf8":
		return false
	case "": // most languages without a character set mean UTF-8 today, but these are ASCII
		return language == "C" || language == "POSIX"
	default:
		return true
	}
}

// depthOf derives the depth from what terminals advertise. Too low is
// harmless, too high shows wrong colours.
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
