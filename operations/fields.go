package operations

import (
	"strings"

	"waybill/operations/form"
)

// checkText makes the check of a field from the function that reads its value. An empty value is accepted.
func checkText[T any](parse func(text string) (T, error)) func(value string) error {
	return func(value string) error {
		if strings.TrimSpace(value) == "" {
			return nil
		}
		_, err := parse(value)
		return err
	}
}

// echoText shows how a field's value is understood; nothing when it is not.
func echoText[T any](parse func(text string) (T, error), show func(T) string) func(string, form.Values) string {
	return func(value string, _ form.Values) string {
		understood, err := parse(value)
		if err != nil {
			return ""
		}
		return show(understood)
	}
}

// hiddenField is a field that only commands fill in: it becomes visible when it has a value.
func hiddenField(f form.Field) form.Field {
	name := f.Name
	f.Show = func(v form.Values) bool { return v.Get(name) != "" }
	return f
}
