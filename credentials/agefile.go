package credentials

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"filippo.io/age"
	"filippo.io/age/armor"

	"waybill/atomicfile"
)

// PassphraseFunc asks the user for the passphrase of an encrypted key. With choose it asks for a new one, twice.
type PassphraseFunc func(ctx context.Context, profile string, choose bool) (string, error)

// AgePath returns the path of the encrypted key of a profile. The file may not exist.
func (v *Vault) AgePath(profile string) string {
	return filepath.Join(v.env.ConfigDir, "keys", profile+".age")
}

func (v *Vault) askPassphrase(ctx context.Context, profile string, choose bool) (string, error) {
	if v.env.Passphrase == nil {
		purpose := "open"
		if choose {
			purpose = "create"
		}
		return "", fmt.Errorf("%w to %s %s, but there is no terminal to prompt on; run waybill in a terminal, or set %s",
			ErrPassphraseNeeded, purpose, v.AgePath(profile), DefaultVariable)
	}
	text, err := v.env.Passphrase(ctx, profile, choose)
	switch {
	case err != nil:
		return "", fmt.Errorf("%w for the key of profile %q, but none was entered: %w", ErrPassphraseNeeded, profile, err)
	case text == "":
		return "", fmt.Errorf("%w for the key of profile %q, but an empty one was entered", ErrPassphraseNeeded, profile)
	}
	return text, nil
}

func (v *Vault) readAge(ctx context.Context, profile string) (Key, error) {
	path := v.AgePath(profile)
	sealed, err := v.readSealed(profile)
	if err != nil {
		return Key{}, err
	}
	passphrase, err := v.askPassphrase(ctx, profile, false)
	if err != nil {
		return Key{}, err
	}
	identity, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", path, err)
	}
	opened, err := age.Decrypt(armor.NewReader(bytes.NewReader(sealed)), identity)
	if err != nil {
		return Key{}, describeAgeError(path, err)
	}
	text, err := io.ReadAll(io.LimitReader(opened, maxKeyFile))
	if err != nil {
		return Key{}, describeAgeError(path, err)
	}
	return newKeyFrom(path, string(text))
}

// readSealed reads the encrypted file of a profile.
func (v *Vault) readSealed(profile string) ([]byte, error) {
	sealed, err := readPrivateFile(v.AgePath(profile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	return sealed, err
}

func describeAgeError(path string, err error) error {
	var mismatch *age.NoIdentityMatchError
	if errors.As(err, &mismatch) {
		return fmt.Errorf("%w for %s", ErrWrongPassphrase, path)
	}
	return fmt.Errorf("%s is damaged or not encrypted by waybill: %s; store the key again with 'waybill keys add'",
		path, singleLine(err.Error()))
}

func (v *Vault) writeAge(ctx context.Context, profile string, key Key) error {
	passphrase, err := v.askPassphrase(ctx, profile, true)
	if err != nil {
		return err
	}
	recipient, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return fmt.Errorf("cannot encrypt the key: %w", err)
	}
	if v.env.AgeWorkFactor > 0 {
		recipient.SetWorkFactor(v.env.AgeWorkFactor)
	}
	var sealed bytes.Buffer
	armored := armor.NewWriter(&sealed)
	writer, err := age.Encrypt(armored, recipient)
	if err != nil {
		return fmt.Errorf("cannot encrypt the key: %w", err)
	}
	_, writeErr := io.WriteString(writer, key.Reveal())
	if err := errors.Join(writeErr, writer.Close(), armored.Close()); err != nil {
		return fmt.Errorf("cannot encrypt the key: %w", err)
	}
	return atomicfile.Write(v.AgePath(profile), sealed.Bytes())
}

func (v *Vault) deleteAge(profile string) error {
	err := os.Remove(v.AgePath(profile))
	if errors.Is(err, fs.ErrNotExist) {
		return ErrNotFound
	}
	return err
}
