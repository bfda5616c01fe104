package credentials

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// DefaultVariable is the environment variable with a key for this run.
const DefaultVariable = "WAYBILL_API_KEY"

// Source is a place a key can come from.
type Source string

// The sources. Env, file, command, keyring and age can be named by a profile; the others belong to one run.
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

// Profile is what this package needs to know of a profile.
type Profile struct {
	// Name is the profile's name; empty for a run without one, which then has only its flags and the environment.
	Name string
	// Source is where the profile says its key is; empty for the keyring, then the encrypted file.
	Source Source
	// Variable is the environment variable of SourceEnv, DefaultVariable when empty.
	Variable string
	// File is the file of SourceFile.
	File string
	// Command is the program and arguments of SourceCommand.
	Command []string
}

// NoDescriptor is the Descriptor of a Request without one.
const NoDescriptor = -1

// Request asks for the key of a profile.
type Request struct {
	Profile Profile
	// File is the value of --api-key-file, empty without one.
	File string
	// Descriptor is the value of --api-key-fd, NoDescriptor without one. It is read once and remembered.
	Descriptor int
	// ProfileOnly leaves out flags and DefaultVariable: they were meant for the profile the run began with, and must not
	// follow a switch to another account.
	ProfileOnly bool
}

// Outcome is how an attempt ended.
type Outcome string

// The outcomes. Unavailable means that the place itself cannot be used here; failed that it was asked for and is no good.
const (
	OutcomeUsed        Outcome = "in use"
	OutcomeEmpty       Outcome = "no key there"
	OutcomeUnavailable Outcome = "unavailable"
	OutcomeFailed      Outcome = "failed"
)

// Attempt is one place that was looked in.
type Attempt struct {
	Source Source
	// Location names the place for people: a path, a variable, a keyring entry. It never holds a key.
	Location   string
	Outcome Outcome
	// Err is why there is no key, nil when there is one.
	Err error
	// Stderr is what a key command wrote to standard error, on one line.
	Stderr string
}

// Reason says in words how the attempt ended.
func (a Attempt) Reason() string {
	if a.Err == nil || a.Outcome == OutcomeEmpty {
		return string(a.Outcome)
	}
	return a.Err.Error()
}

// Result is a key and how it was found.
type Result struct {
	Key    Key
	Source Source
	// Location names the place for people.
	Location string
	// Attempts is everything that was tried, the last one in use.
	Attempts []Attempt
}

// Environment is everything outside this package that keys depend on.
type Environment struct {
	// Getenv looks up an environment variable.
	Getenv func(string) string
	// Environ is the environment of key commands; nil passes on the process's own.
	Environ []string
	// ConfigDir is the folder under which encrypted keys are kept.
	ConfigDir string
	// Keyring is the system keyring, or another store in tests.
	Keyring Keyring
	// Passphrase asks for the passphrase of an encrypted key; nil where nobody can be asked.
	Passphrase PassphraseFunc
	// KeyringTimeout, CommandLimit and DescriptorLimit bound each call; zero means 3, 10 and 10 seconds.
	KeyringTimeout, CommandTimeout, DescriptorTimeout time.Duration
	// AgeWorkFactor is the base-2 logarithm of the cost of guessing a passphrase; zero means age's default, about a second.
	AgeWorkFactor int
}

// Vault finds and keeps keys. It is safe for concurrent use.
type Vault struct {
	env Environment

	mu     sync.Mutex
	memory map[string]Key

	// descriptorMu is held while a descriptor is read, which may take seconds; mu never is.
	descriptorMu sync.Mutex
	descriptors  map[int]descriptorAnswer
}

type descriptorAnswer struct {
	key Key
	err error
}

// New returns a vault on an environment.
func New(env Environment) *Vault {
	env.KeyringTimeout = cmp.Or(env.KeyringTimeout, 3*time.Second)
	env.CommandTimeout = cmp.Or(env.CommandTimeout, 10*time.Second)
	env.DescriptorTimeout = cmp.Or(env.DescriptorTimeout, 10*time.Second)
	return &Vault{env: env, memory: map[string]Key{}, descriptors: map[int]descriptorAnswer{}}
}

// Remember keeps a key for a profile in memory, for as long as the vault lives. It wins over every other source: the user
// just typed it.
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

// Resolve finds the key of a profile. The order is: memory; --api-key-file or --api-key-fd; WAYBILL_API_KEY; the source the
// profile names; the keyring; the encrypted file.
//
// A source that was asked for by name is final: when it fails, so does Resolve. Falling through to another key than the one
// asked for could send a change to the wrong account. Only a profile that names no source goes on from the keyring to the
// encrypted file. The error is a *ResolveError, or the context's.
func (v *Vault) Resolve(ctx context.Context, request Request) (Result, error) {
	var attempts []Attempt
	for _, candidate := range v.candidates(request) {
		attempt := Attempt{Source: candidate.source, Location: candidate.location}
		var key Key
		key, attempt.Stderr, attempt.Err = candidate.read(ctx)
		// Only the caller's own context ends the search; a step that ran out of its time has failed like any other.
		if err := ctx.Err(); err != nil {
			return Result{}, fmt.Errorf("looking for the API key was interrupted: %w", err)
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
