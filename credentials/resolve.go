package credentials

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// DefaultVariable is the environment variable with the key for this run.
const DefaultVariable = "WAYBILL_API_KEY"

// Source is where a key comes from.
type Source string

// The sources. A profile can name env, file, command, keyring and age; the others are for one run.
const (
	SourceMemory   Source = "memory"
	SourceFlagFile Source = "--api-key-file"
	SourceFlagFD   Source = "--api-key-fd"
	SourceOverride Source = DefaultVariable
	SourceEnv      Source = "env"
	SourceFile     Source = "file"
	SourceCommand  Source = "command"
	SourceKeyring  Source = "keyring"
	SourceAge      Source = "age"
)

// Profile is what this package needs to know about a profile.
type Profile struct {
	// Name is the name of the profile. Without a profile it is empty, and only flags and the environment are used.
	Name string
	// Source is the key_source of the profile; empty means the keyring, then the encrypted file.
	Source Source
	// Variable is the environment variable of SourceEnv; empty means DefaultVariable.
	Variable string
	// File is the file of SourceFile.
	File string
	// Command is the program and arguments of SourceCommand.
	Command []string
}

// NoDescriptor is the Descriptor of a Request without --api-key-fd.
const NoDescriptor = -1

// Request says which key to find.
type Request struct {
	Profile Profile
	// File is the value of --api-key-file, empty if not given.
	File string
	// Descriptor is the value of --api-key-fd, NoDescriptor if not given. It is read once and remembered.
	Descriptor int
	// ProfileOnly ignores flags and DefaultVariable: they are for the profile of the start and must not be used after a
	// switch to another account.
	ProfileOnly bool
}

// Outcome is the outcome of an attempt.
type Outcome string

// The outcomes. Unavailable means that the source does not work on this machine; failed means that reading the key failed.
const (
	OutcomeUsed        Outcome = "in use"
	OutcomeEmpty       Outcome = "no key there"
	OutcomeUnavailable Outcome = "unavailable"
	OutcomeFailed      Outcome = "failed"
)

// Attempt is one source that was tried.
type Attempt struct {
	Source Source
	// Location describes the source: a path, a variable, a keyring entry. It never contains a key.
	Location string
	Outcome  Outcome
	// Err is why there is no key, nil if there is one.
	Err error
	// Stderr is what a key command wrote to standard error, on one line.
	Stderr string
}

// Reason returns why the attempt failed, or its outcome.
func (a Attempt) Reason() string {
	if a.Err == nil || a.Outcome == OutcomeEmpty {
		return string(a.Outcome)
	}
	return a.Err.Error()
}

// Result is a key and where it was found.
type Result struct {
	Key    Key
	Source Source
	// Location describes the source.
	Location string
	// Attempts lists the sources that were tried; the last one has the key.
	Attempts []Attempt
}

// Environment is what this package needs from outside.
type Environment struct {
	// Getenv looks up an environment variable.
	Getenv func(string) string
	// Environ is the environment of key commands; nil means that of the process.
	Environ []string
	// ConfigDir is the folder with the encrypted keys.
	ConfigDir string
	// Keyring is the system keyring.
	Keyring Keyring
	// Passphrase asks for the passphrase of an encrypted key; nil without a terminal.
	Passphrase PassphraseFunc
	// KeyringTimeout, CommandLimit and DescriptorLimit bound each call; zero means 3, 10 and 10 seconds.
	KeyringTimeout, CommandTimeout, DescriptorTimeout time.Duration
	// AgeWorkFactor is the base-2 logarithm of the cost of guessing a passphrase; zero means age's default, about a second.
	AgeWorkFactor int
}

// Vault finds and stores keys. It is safe for concurrent use.
type Vault struct {
	env Environment

	mu     sync.Mutex
	memory map[string]Key

	// descriptorMu is locked while a descriptor is read, which may take seconds.
	descriptorMu sync.Mutex
	descriptors  map[int]descriptorAnswer
}

type descriptorAnswer struct {
	key Key
	err error
}

// New returns a vault.
func New(env Environment) *Vault {
	env.KeyringTimeout = cmp.Or(env.KeyringTimeout, 3*time.Second)
	env.CommandTimeout = cmp.Or(env.CommandTimeout, 10*time.Second)
	env.DescriptorTimeout = cmp.Or(env.DescriptorTimeout, 10*time.Second)
	return &Vault{env: env, memory: map[string]Key{}, descriptors: map[int]descriptorAnswer{}}
}

// Remember keeps the key of a profile in memory. It has priority over every other source, because the user just typed it.
func (v *Vault) Remember(profile string, key Key) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.memory[profile] = key
}

// Forget drops a remembered key and reports whether there was one.
func (v *Vault) Forget(profile string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	_, had := v.memory[profile]
	delete(v.memory, profile)
	return had
}

func (v *Vault) rememberedKey(profile string) (Key, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	key, ok := v.memory[profile]
	return key, ok
}

// Resolve finds the key of a profile. The order is: memory; --api-key-file or --api-key-fd; WAYBILL_API_KEY; the key_source
// of the profile; the keyring; the encrypted file.
//
// If a source that the user named fails, Resolve fails too: using another key could send a change to the wrong account. Only
// for a profile without a key_source does it try the encrypted file after the keyring. The error is a *ResolveError, or that
// of the context.
func (v *Vault) Resolve(ctx context.Context, request Request) (Result, error) {
	var attempts []Attempt
	for _, candidate := range v.candidates(request) {
		attempt := Attempt{Source: candidate.source, Location: candidate.location}
		var key Key
		key, attempt.Err = candidate.read(ctx, &attempt)
		// A timeout of one source is a failure like any other; only the context of the caller ends the search.
		if err := ctx.Err(); err != nil {
			return Result{}, fmt.Errorf("interrupted while looking for the API key: %w", err)
		}
		attempt.Outcome = outcomeOf(attempt.Err)
		attempts = append(attempts, attempt)
		if attempt.Err == nil {
			return Result{Key: key, Source: candidate.source, Location: candidate.location, Attempts: attempts}, nil
		}
		if candidate.final || attempt.Outcome == OutcomeFailed {
			break
		}
	}
	return Result{}, &ResolveError{Profile: request.Profile.Name, Attempts: attempts}
}

func outcomeOf(err error) Outcome {
	switch {
	case err == nil:
		return OutcomeUsed
	case errors.Is(err, ErrNotFound):
		return OutcomeEmpty
	case errors.Is(err, ErrKeyringUnavailable):
		return OutcomeUnavailable
	default:
		return OutcomeFailed
	}
}
