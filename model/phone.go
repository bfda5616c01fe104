package model

import (
	"cmp"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// NormalizePhone converts a number, written as is usual in the country or with a leading +, to + and digits. Country is
// the ISO 3166-1 code of the organization's country, such as "US". The problem has no field; callers add theirs.
func NormalizePhone(raw, country string) (string, Problems) {
	trimmed := strings.TrimSpace(raw)
	if trimmed == "" {
		return refusePhone(ErrorMissing, "A phone number is required.")
	}
	if isUSNumber(trimmed) {
		return trimmed, nil
	}
	region := strings.ToUpper(strings.TrimSpace(country))
	if !strings.HasPrefix(trimmed, "+") && phonenumbers.GetCountryCodeForRegion(region) == 0 {
		return refusePhone(ErrorInvalid,
			"Invalid phone number format: the organization's country is unknown, so the number must start with + and its country code.")
	}
	number, err := phonenumbers.Parse(trimmed, region)
	if err != nil || !phonenumbers.IsValidNumber(number) {
		return refusePhone(ErrorInvalid,
			"Invalid phone number format: %.40q is not a number in %s, nor an international one starting with +.",
			Clean(trimmed), cmp.Or(region, "the organization's country"))
	}
	return phonenumbers.Format(number, phonenumbers.E164), nil
}

// isUSNumber reports whether a text is a valid United States number in normalized form. Programs send numbers in
// this form, and checking the digits costs a fifth of parsing them.
func isUSNumber(text string) bool {
	digits, ok := strings.CutPrefix(text, "+1")
	if !ok || len(digits) != northAmericanDigits || digits[0] < '2' { // 0 and 1 may be prefixes, which are not dialled from abroad
		return false
	}
	national := uint64(0)
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return false
		}
		national = national*10 + uint64(digits[i]-'0')
	}
	code := int32(1)
	return phonenumbers.IsValidNumberForRegion(&phonenumbers.PhoneNumber{CountryCode: &code, NationalNumber: &national}, "US")
}

// northAmericanDigits is how many digits a number has behind +1.
const northAmericanDigits = 10

// ParseUncheckedPhone parses the number of a recipient with skipPhoneNumberValidation: + and only digits, apart from
// spaces, dots, dashes, slashes and brackets.
func ParseUncheckedPhone(raw string) (string, Problems) {
	trimmed := strings.TrimSpace(raw)
	if trimmed == "" {
		return refusePhone(ErrorMissing, "A phone number is required.")
	}
	rest, ok := strings.CutPrefix(trimmed, "+")
	digits := strings.Map(func(c rune) rune {
		if strings.ContainsRune(" .-()/", c) {
			return -1
		}
		return c
	}, rest)
	if !ok || len(digits) > maxPhoneDigits || !AllDigits(digits) {
		return refusePhone(ErrorInvalid,
			"Invalid phone number format: without validation, a number must be + and at most %d digits, with its country code.",
			maxPhoneDigits)
	}
	return "+" + digits, nil
}

// maxPhoneDigits allows more than the 15 digits of E.164 for numbers that are not validated.
const maxPhoneDigits = 20

// NormalizedPhone returns the recipient's number as it is stored and looked up.
func (in RecipientInput) NormalizedPhone(country string) (string, Problems) {
	if in.SkipPhoneNumberValidation.Or(false) {
		return ParseUncheckedPhone(in.Phone.Value())
	}
	return NormalizePhone(in.Phone.Value(), country)
}

func refusePhone(subcode Int, format string, args ...any) (string, Problems) {
	var problems Problems
	problems.add("", subcode, format, args...)
	return "", problems
}
