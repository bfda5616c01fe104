package cli

import (
	"context"
	"errors"

	"waybill/apiclient"
	"waybill/credentials"
	"waybill/settings"
	"waybill/ui"
)

// addAccount tests an address and a key that were typed into the console and stores them.
func (h *consoleHost) addAccount(ctx context.Context, request ui.JoinRequest) (ui.Joined, error) {
	key, err := credentials.NewKey(request.Key)
	if err != nil {
		return ui.Joined{}, err
	}
	address, err := settings.CheckBaseURL(request.BaseURL)
	if err != nil {
		return ui.Joined{}, err
	}
	file, err := h.app.loadConfig()
	if err != nil {
		return ui.Joined{}, err
	}
	profile := settings.NewProfile(request.Name, address)
	changed, err := file.AddProfile(profile)
	if err != nil {
		return ui.Joined{}, err
	}
	client, err := apiclient.New(h.app.clientOptions(profile, key.Reveal))
	if err != nil {
		return ui.Joined{}, err
	}
	defer client.Close()
	if _, err := client.TestAuth(ctx); err != nil {
		return ui.Joined{}, err
	}
	stored, err := h.storeKey(ctx, profile, key)
	if err != nil {
		return ui.Joined{}, err
	}
	if err := changed.Save(); err != nil {
		return ui.Joined{}, errors.Join(err, h.deleteKey(ctx, profile))
	}
	h.file.Store(changed)
	return ui.Joined{Profile: profile, Stored: stored}, nil
}

func (h *consoleHost) deleteKey(ctx context.Context, profile settings.Profile) error {
	vault, err := h.vault()
	if err == nil {
		_, err = vault.Delete(ctx, h.app.credentialProfile(profile))
	}
	return err
}

// storeKey stores a key in the keyring. On a machine without a keyring, which is common over SSH, it keeps the key in
// memory and returns a hint how to store it.
func (h *consoleHost) storeKey(ctx context.Context, profile settings.Profile, key credentials.Key) (where string, err error) {
	account := h.app.credentialProfile(profile)
	vault, err := h.vault()
	if err != nil {
		return "", err
	}
	stored, err := vault.Store(ctx, account, key, credentials.SourceKeyring)
	if !errors.Is(err, credentials.ErrKeyringUnavailable) {
		return stored.Location, err
	}
	if _, err := vault.Store(ctx, account, key, credentials.SourceMemory); err != nil {
		return "", err
	}
	return "memory until you quit, because there is no keyring. To store it: waybill keys add " + profile.Name + " --store age", nil
}
