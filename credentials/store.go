package credentials

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
)

// Stored says where a key went.
type Stored struct {
	Source Source
	Location  string
	// ShadowedBy is a source that Resolve would look in first and that also has a key for the profile; empty without one.
	ShadowedBy Source
}

// Store keeps a key for a profile in the keyring, the encrypted file or memory. It never puts it anywhere else than asked:
// when the keyring cannot be used, the *KeyringError says what can.
func (v *Vault) Store(ctx context.Context, profile Profile, key Key, to Source) (Stored, error) {
	if key.IsZero() {
		return Stored{}, &InvalidKeyError{Reason: "it is empty"}
	}
	if to == SourceMemory {
		v.Remember(profile.Name, key)
		return Stored{Source: to, Location: "memory, for this run only"}, nil
	}
	if err := checkProfileName(profile.Name); err != nil {
		return Stored{}, err
	}
	switch to {
	case SourceKeyring:
		if err := v.storeInKeyring(ctx, profile.Name, key); err != nil {
			return Stored{}, err
		}
		return Stored{Source: to, Location: keyringEntry(profile.Name)}, nil
	case SourceAge:
		if err := v.writeAge(ctx, profile.Name, key); err != nil {
			return Stored{}, err
		}
		stored := Stored{Source: to, Location: "encrypted file " + v.AgePath(profile.Name)}
		if profile.Source == "" {
			if _, err := v.readKeyring(ctx, profile.Name); err == nil {
				stored.ShadowedBy = SourceKeyring
			}
		}
		return stored, nil
	default:
		return Stored{}, fmt.Errorf("%w: %s only gives keys; choose keyring, age or memory", ErrNotStorable, to)
	}
}

// storeInKeyring reads the key back, because a keyring that takes it and loses it is found out too late otherwise.
func (v *Vault) storeInKeyring(ctx context.Context, profile string, key Key) error {
	_, err := callWithTimeout(ctx, v.env.KeyringTimeout, func() (string, error) {
		return "", v.env.Keyring.Set(profile, key.Reveal())
	})
	if err != nil {
		return err
	}
	back, err := v.readKeyring(ctx, profile)
	switch {
	case errors.Is(err, ErrNotFound), err == nil && !back.Equal(key):
		return &KeyringError{Cause: CauseOther, Err: errors.New("it took the key and did not keep it")}
	default:
		return err
	}
}

// Delete removes a profile's key from the keyring, the encrypted file and memory, and returns the places it was removed
// from. A place that cannot be reached is an error even when others succeeded, for the key may still be there; a keyring
// that cannot be used here is none for a profile whose key is elsewhere. ErrNotFound means that there was nothing to remove.
func (v *Vault) Delete(ctx context.Context, profile Profile) ([]Stored, error) {
	if err := checkProfileName(profile.Name); err != nil {
		return nil, err
	}
	var removed []Stored
	var failures []error
	note := func(source Source, where string, err error) {
		switch {
		case err == nil:
			removed = append(removed, Stored{Source: source, Location: where})
		case !errors.Is(err, ErrNotFound):
			failures = append(failures, fmt.Errorf("the key may still be in %s: %w", where, err))
		}
	}
	if v.Forget(profile.Name) {
		note(SourceMemory, "memory", nil)
	}
	_, err := callWithTimeout(ctx, v.env.KeyringTimeout, func() (string, error) { return "", v.env.Keyring.Delete(profile.Name) })
	if !errors.Is(err, ErrKeyringUnavailable) || profile.Source == SourceKeyring || profile.Source == "" {
		note(SourceKeyring, keyringEntry(profile.Name), err)
	}
	note(SourceAge, "encrypted file "+v.AgePath(profile.Name), v.deleteAge(profile.Name))
	if len(failures) == 0 && len(removed) == 0 {
		return nil, fmt.Errorf("%w: nothing to remove for profile %q", ErrNotFound, profile.Name)
	}
	return removed, errors.Join(failures...)
}

// Listing says where a profile's key lives, without reading more than it must.
type Listing struct {
	Profile string
	Source  Source
	Location   string
	Outcome Outcome
	// Err is why there is no key, nil when there is one.
	Err error
}

// List tells for each profile where its key lives. It runs no command and asks for no passphrase: a command that could be run
// and an existing file count as the key's place. A keyring that cannot be used is asked only once.
func (v *Vault) List(ctx context.Context, profiles []Profile) []Listing {
	listings := make([]Listing, 0, len(profiles))
	var keyringFault error
	for _, profile := range profiles {
		listing := Listing{Profile: profile.Name}
		for _, place := range v.candidates(Request{Profile: profile, Descriptor: NoDescriptor, ProfileOnly: true}) {
			err := keyringFault
			if place.source != SourceKeyring || keyringFault == nil {
				err = v.checkCandidate(ctx, profile, place)
			}
			if place.source == SourceKeyring && errors.Is(err, ErrKeyringUnavailable) {
				keyringFault = err
			}
			// The first place with a key wins; without one, a place that cannot be used tells more than an empty one.
			outcome := outcomeOf(err)
			if listing.Source == "" || outcome == OutcomeUsed || (listing.Outcome == OutcomeEmpty && outcome != OutcomeEmpty) {
				listing.Source, listing.Location, listing.Outcome, listing.Err = place.source, place.location, outcome, err
			}
			if outcome == OutcomeUsed {
				break
			}
		}
		listings = append(listings, listing)
	}
	return listings
}

// checkCandidate looks for a key without anything that costs time or asks the user.
func (v *Vault) checkCandidate(ctx context.Context, profile Profile, place candidate) error {
	switch place.source {
	case SourceCommand:
		if len(profile.Command) == 0 {
			return &CommandError{Reason: "is empty; name a program in key_command"}
		}
		if _, err := exec.LookPath(profile.Command[0]); err != nil {
			failure := &CommandError{Program: profile.Command[0]}
			failure.Reason, failure.Err = describeRunError(ctx, err, v.env.CommandTimeout)
			return failure
		}
		return nil
	case SourceAge:
		_, err := readPrivateFile(v.AgePath(profile.Name))
		if errors.Is(err, fs.ErrNotExist) {
			return ErrNotFound
		}
		return err
	default:
		_, _, err := place.read(ctx)
		return err
	}
}

// CheckKeyring returns nil when the system keyring can be used here, else a *KeyringError with the cause.
func (v *Vault) CheckKeyring(ctx context.Context) error {
	// No profile can have this name, so there is never anything to find.
	const probe = "waybill probe"
	_, err := callWithTimeout(ctx, v.env.KeyringTimeout, func() (string, error) { return v.env.Keyring.Get(probe) })
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}
