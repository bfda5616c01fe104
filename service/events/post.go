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
	"net"
	"net/http"
	"net/url"

	"waybill/model"
)

// Headers of a delivery.
const (
	// SignatureHeader has the HMAC-SHA512 of the body in hex.
	SignatureHeader = "X-Onfleet-Signature"
	// DeliveryHeader has the delivery's id, which is the same on every attempt, so that receivers can drop repeated ones.
	DeliveryHeader = "X-Waybill-Delivery"
)

// userAgent is the User-Agent of requests to webhooks.
const userAgent = "waybill-webhooks/1"

// Sign returns the signature of a body. The key is the organization's secret, which is in hex.
func Sign(secret string, body []byte) (string, error) {
	key, err := hex.DecodeString(secret)
	if err != nil {
		return "", fmt.Errorf("the webhook secret is not hex: %w", err)
	}
	mac := hmac.New(sha512.New, key)
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil)), nil
}

// Verify reports whether the signature of a body is right.
func Verify(secret string, body []byte, signature string) bool {
	want, err := Sign(secret, body)
	return err == nil && hmac.Equal([]byte(want), []byte(signature))
}

// postEvent sends a body once. Only the status of the answer matters, not its body.
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
	// Reading the rest lets the connection be reused.
	io.Copy(io.Discard, io.LimitReader(resp.Body, maxAnswer)) //nolint:errcheck // only the connection is lost
	return resp.StatusCode, nil
}

func requireHTTPS(u *url.URL) error {
	if u.Scheme != "https" {
		return errors.New("the URL must start with https://")
	}
	return nil
}

// Check asks a webhook's server to answer with a random text. It implements world.WebhookChecker.
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
		return describeClientError(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("it answered the validation request with status %d instead of 200", resp.StatusCode)
	}
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("its answer to the validation request is incomplete: %w", err)
	}
	if string(answer) != check {
		return fmt.Errorf("it must echo the value of %q, %s, but it answered %.60q",
			model.WebhookCheckParameter, check, answer)
	}
	return nil
}

// describeClientError removes the URL from an error of the client, because it contains the random text and the reader knows it, and
// all addresses, because they would tell an organization what internal names resolve to.
func describeClientError(err error) error {
	if errors.Is(err, ErrForbiddenAddress) {
		return ErrForbiddenAddress
	}
	wrapped, ok := errors.AsType[*url.Error](err)
	if !ok {
		return err
	}
	if wrapped.Timeout() {
		return errors.New("the server did not answer in time")
	}
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		return errors.New("the host name was not found")
	}
	if failed, ok := errors.AsType[*net.OpError](err); ok {
		return fmt.Errorf("the connection failed: %w", failed.Err)
	}
	return wrapped.Err
}
