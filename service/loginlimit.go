package service

import (
	"net/http"
	"strings"
	"time"

	"waybill/model"
	"waybill/service/limit"
	"waybill/service/world"
)

// loginLimiter limits login attempts against password guessing: few per phone number, more per address, because a whole
// depot may share one.
type loginLimiter struct{ phones, addresses *limit.Buckets }

const (
	phoneBurst, addressBurst = 5, 30
	phonePause, addressPause = 20 * time.Second, time.Second
	// maxDigits is more than any phone number has, with all prefixes.
	maxDigits = 20
)

func newLoginLimiter(now func() time.Time) *loginLimiter {
	return &loginLimiter{
		phones: limit.New(phonePause, phoneBurst, now), addresses: limit.New(addressPause, addressBurst, now),
	}
}

// allowAddress counts an attempt from an address. It is called before the body is read.
func (l *loginLimiter) allowAddress(r *http.Request) error {
	if l.addresses.Allow(limit.ClientKey(r)) {
		return nil
	}
	return tooManyLogins()
}

// allowPhone counts an attempt for a phone number.
func (l *loginLimiter) allowPhone(phone string) error {
	number := digits(phone)
	if len(number) > maxDigits {
		return world.Invalid("phone: It has %d digits, which is too long for a phone number.", len(number))
	}
	if l.phones.Allow(number) {
		return nil
	}
	return tooManyLogins()
}

func tooManyLogins() *world.Error {
	return world.NewError(http.StatusTooManyRequests, model.CodeTooManyRequests, model.ErrorRateLimit,
		"Too many logins. Wait a minute and try again.")
}

// digits removes everything but the digits, so that all spellings of a number count as one.
func digits(phone string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, phone)
}
