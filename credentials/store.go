package credentials

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
)

// Stored says where a key is stored.
type Stored struct {
	Source   Source
	Location string
	// ShadowedBy is a source with another key for the profile that Resolve tries first; usually empty.
	ShadowedBy Source
}

// Store stores the key of a profile in the keyring, the encrypted file or memory. It uses no other place than asked: if the
// keyring cannot be used, the *KeyringError says what to do instead.
func (v *Vault) Store(ctx context.Context, profile Profile, key Key, to Source) (Stored, error) {
	if key.IsZero() {
		return Stored{}, &InvalidKeyError{Reason: "it is empty"}
	}
	if to == SourceMemory {
		v.Remember(profile.Name, key)
		return Stored{Source: to, Location: "memory (this run only)"}, nil
	}
	if err := checkProfileName(profile.Name); err != nil {
		return Stored{}, err
	}
	switch to {
	case SourceKeyring:
		return Stored{Source: to, Location: keyringEntry(profile.Name)}, v.storeInKeyring(ctx, profile.Name, key)
	case SourceAge:
		err := v.writeAge(ctx, profile.Name, key)
		stored := Stored{Source: to, Location: "encrypted file " + v.AgePath(profile.Name)}
		if err == nil && profile.Source == "" {
			if _, err := v.readKeyring(ctx, profile.Name); err == nil {
				stored.ShadowedBy = SourceKeyring
			}
		}
		return stored, err
	default:
		return Stored{}, fmt.Errorf("%w: %s is read-only; choose keyring, age or memory", ErrNotStorable, to)
	}
}

// storeInKeyring stores a key and reads it back, to detect a keyring that loses it.
func (v *Vault) storeInKeyring(ctx context.Context, profile string, key Key) error {
	_, err := v.callKeyring(ctx, func() (string, error) {
		return "", v.env.Keyring.Set(profile, key.Reveal())
	})
	if err != nil {
		return err
	}
	back, err := v.readKeyring(ctx, profile)
	switch {
	case errors.Is(err, ErrNotFound), err == nil && !back.Equal(key):
		return &KeyringError{Cause: CauseOther, Err: errors.New("it accepted the key but did not store it")}
	default:
		return err
	}
}

// Delete removes the key of a profile from the keyring, the encrypted file and memory, and returns where it was. A store that
// cannot be reached is an error, because the key may still be there; an unavailable keyring is ignored if the profile uses
// another key_source. ErrNotFound means that there was no key.
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
	_, err := v.callKeyring(ctx, func() (string, error) { return "", v.env.Keyring.Delete(profile.Name) })
	if !errors.Is(err, ErrKeyringUnavailable) || profile.Source == SourceKeyring || profile.Source == "" {
		note(SourceKeyring, keyringEntry(profile.Name), err)
	}
	note(SourceAge, "encrypted file "+v.AgePath(profile.Name), v.deleteAge(profile.Name))
	if len(failures) == 0 && len(removed) == 0 {
		return nil, fmt.Errorf("%w: profile %q has no stored key", ErrNotFound, profile.Name)
	}
	return removed, errors.Join(failures...)
}

// Listing says where the key of a profile is.
type Listing struct {
	Profile string
	Attempt
}

// List returns where the key of each profile is. It runs no command and asks for no passphrase: an executable command or an
// existing file is enough. An unavailable keyring is called only once.
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
			// The first source with a key wins; otherwise an unavailable source is more informative than an empty one.
			outcome := outcomeOf(err)
			if listing.Source == "" || outcome == OutcomeUsed || (listing.Outcome == OutcomeEmpty && outcome != OutcomeEmpty) {
				listing.Attempt = Attempt{Source: place.source, Location: place.location, Outcome: outcome, Err: err}
			}
			if outcome == OutcomeUsed {
				break
			}
		}
		listings = append(listings, listing)
	}
	return listings
}

// checkCandidate checks whether a source has a key, without running a command or asking the user.
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
		_, err := v.readSealed(profile.Name)
		return err
	default:
		_, err := place.read(ctx, &Attempt{})
		return err
	}
}

// CheckKeyring returns nil if the system keyring can be used, or else a *KeyringError with the cause.
func (v *Vault) CheckKeyring(ctx context.Context) error {
	// No profile can have this name, so there is no such key.
	const probe = "waybill probe"
	_, err := v.callKeyring(ctx, func() (string, error) { return v.env.Keyring.Get(probe) })
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}
