package events

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"waybill/model"
)

// Headers of a delivery.
const (
	// SignatureHeader carries the hex HMAC-SHA512 of the body.
	SignatureHeader = "X-Onfleet-Signature"
	// DeliveryHeader carries the delivery's id, the same on every attempt: a receiver that has seen it may drop the copy.
	DeliveryHeader = "X-Waybill-Delivery"
)

// userAgent names the service to webhooks.
const userAgent = "waybill-webhooks/1"

// Sign makes the signature of a body. The key is the organization's secret, decoded from hex.
func Sign(secret string, body []byte) (string, error) {
	key, err := hex.DecodeString(secret)
	if err != nil {
		return "", fmt.Errorf("the webhook secret is not hex: %w", err)
	}
	mac := hmac.New(sha512.New, key)
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil)), nil
}

// Verify reports whether a signature is that of a body.
func Verify(secret string, body []byte, signature string) bool {
	want, err := Sign(secret, body)
	return err == nil && hmac.Equal([]byte(want), []byte(signature))
}

// postEvent sends a body once. The status decides: what the answer says, and whether it says it to the end, does not matter.
func (b *Broker) postEvent(ctx context.Context, target, secret string, delivery model.ID, body []byte) (status int, err error) {
	ctx, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	signature, err := Sign(secret, body)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", userAgent)
	req.Header.Set(SignatureHeader, signature)
	req.Header.Set(DeliveryHeader, string(delivery))
	if err := requireHTTPS(req.URL); err != nil {
		return 0, err
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	// Reading the rest lets the connection be used again; an answer that breaks off only costs the connection.
	io.Copy(io.Discard, io.LimitReader(resp.Body, maxAnswer)) //nolint:errcheck // see above
	return resp.StatusCode, nil
}

func requireHTTPS(u *url.URL) error {
	if u.Scheme != "https" {
		return errors.New("events are sent over https only")
	}
	return nil
}

// Check asks a webhook's server to repeat a random text. It implements world.WebhookChecker.
func (b *Broker) Check(ctx context.Context, target string) error {
	ctx, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	address, err := url.Parse(target)
	if err != nil {
		return err
	}
	if err := requireHTTPS(address); err != nil {
		return err
	}
	check := rand.Text()
	query := address.Query()
	query.Set(model.WebhookCheckParameter, check)
	address.RawQuery = query.Encode()
	address.Fragment = ""
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", userAgent)
	resp, err := b.client.Do(req)
	if err != nil {
		return withoutURL(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("it answered the check with status %d instead of 200", resp.StatusCode)
	}
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("its answer to the check broke off: %w", err)
	}
	if string(answer) != check {
		return fmt.Errorf("it must answer with exactly the text of the parameter %q, %s; it answered %.60q",
			model.WebhookCheckParameter, check, answer)
	}
	return nil
}

// withoutURL drops the request's address from an error of the client: it holds the check, and who reads the error
// knows the address.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		if wrapped.Timeout() {
			return errors.New("it did not answer in time")
		}
		return wrapped.Err
	}
	return err
}
