package settings

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// writeProfile writes a profile without the settings that have their default.
func writeProfile(profile Profile) string {
	usual := NewProfile(profile.Name, "")
	return writeTable([]string{"profiles", profile.Name}, profileFields(&profile), profileFields(&usual))
}

// writeTable writes the settings that differ from the usual ones, tables after all others.
func writeTable(path []string, fields, usual []field) string {
	var lines, tables strings.Builder
	fmt.Fprintln(&lines, tableName(path...))
	for i, f := range fields {
		value := reflect.ValueOf(f.value).Elem()
		if reflect.DeepEqual(value.Interface(), reflect.ValueOf(usual[i].value).Elem().Interface()) {
			continue
		}
		if f.fields != nil {
			fmt.Fprintf(&tables, "\n%s", writeTable(append(path, f.name), f.fields, usual[i].fields))
		} else if written, err := writeValue(value); err == nil {
			fmt.Fprintf(&lines, "%s = %s\n", f.name, written)
		}
	}
	return lines.String() + tables.String()
}

func writeValue(value reflect.Value) (string, error) {
	if length, ok := reflect.TypeAssert[time.Duration](value); ok {
		return quote(shortDuration(length)), nil
	}
	if texts, ok := reflect.TypeAssert[[]string](value); ok {
		return quoteList(texts), nil
	}
	switch value.Kind() {
	case reflect.String:
		return quote(value.String()), nil
	case reflect.Bool, reflect.Int:
		return fmt.Sprint(value), nil
	default:
		return "", fmt.Errorf("a setting cannot hold a %s", value.Type())
	}
}

func quoteList(values []string) string {
	quotedValues := make([]string, 0, len(values))
	for _, value := range values {
		quotedValues = append(quotedValues, quote(value))
	}
	return "[" + strings.Join(quotedValues, ", ") + "]"
}

// quote writes a TOML basic string.
func quote(text string) string {
	var written strings.Builder
	written.WriteByte('"')
	for _, char := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case char == '"' || char == '\\':
			written.WriteByte('\\')
			written.WriteRune(char)
		case isControl(char):
			fmt.Fprintf(&written, `\u%04X`, char)
		default:
			written.WriteRune(char)
		}
	}
	written.WriteByte('"')
	return written.String()
}

// quoteKey writes a TOML key, bare where it can be.
func quoteKey(name string) string {
	if regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(name) {
		return name
	}
	return quote(name)
}
