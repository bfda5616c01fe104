package service

import (
	"net/http"
	"strings"
	"time"

	"waybill/model"
	"waybill/service/limit"
	"waybill/service/world"
)

// loginLimiter slows down whoever tries passwords: few attempts for one phone number, some more from one address,
// behind which there may be a whole depot.
type loginLimiter struct{ phones, addresses *limit.Buckets }

const (
	phoneBurst, addressBurst = 5, 30
	phonePause, addressPause = 20 * time.Second, time.Second
	// maxDigits is more than a phone number has, with everything that is dialled before it.
	maxDigits = 20
)

func newLoginLimiter(now func() time.Time) *loginLimiter {
	return &loginLimiter{
		phones: limit.New(phonePause, phoneBurst, now), addresses: limit.New(addressPause, addressBurst, now),
	}
}

// takeAddress counts an attempt from an address, before anything that it sent is read.
func (l *loginLimiter) takeAddress(r *http.Request) error {
	if l.addresses.Take(limit.Address(r)) {
		return nil
	}
	return tooManyLogins()
}

// takePhone counts an attempt for a phone number.
func (l *loginLimiter) takePhone(phone string) error {
	number := digits(phone)
	if len(number) > maxDigits {
		return world.Invalid("phone: It has %d digits; no phone number is that long.", len(number))
	}
	if l.phones.Take(number) {
		return nil
	}
	return tooManyLogins()
}

func tooManyLogins() *world.Error {
	return &world.Error{
		Status: http.StatusTooManyRequests, Code: model.CodeTooManyRequests, Subcode: model.ErrorRateLimit,
		Message: "Too many logins. Wait a minute and try again.",
	}
}

// digits makes one number of its spellings.
func digits(phone string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, phone)
}
