package credentials

import (
	"cmp"
	"context"
	"fmt"

	"waybill/model"
)

// candidate is a source to try.
type candidate struct {
	source   Source
	location string
	// final ends the search even if there is no key, because the user named this source.
	final bool
	// read reads the key. It sets only Stderr of the attempt.
	read func(ctx context.Context, attempt *Attempt) (Key, error)
}

// candidates returns the sources to try, in order. The first final one ends the list.
func (v *Vault) candidates(request Request) []candidate {
	profile := request.Profile
	var found []candidate
	if key, ok := v.rememberedKey(profile.Name); ok {
		return []candidate{{
			source: SourceMemory, location: "memory (this run only)", final: true,
			read: func(context.Context, *Attempt) (Key, error) { return key, nil },
		}}
	}
	if !request.ProfileOnly {
		if override, ok := v.flagCandidate(request); ok {
			return []candidate{override}
		}
		// An unset variable is listed too, because it is the first thing to check if a key is missing. A variable with an
		// invalid key ends the search.
		found = append(found, v.variableCandidate(SourceOverride, DefaultVariable))
	}
	if named, ok := v.namedCandidate(profile); ok {
		return append(found, named)
	}
	if profile.Name != "" {
		found = append(found, v.keyringCandidate(profile.Name), v.ageCandidate(profile.Name))
	}
	return found
}

// flagCandidate returns the source of the command line, if there is one.
func (v *Vault) flagCandidate(request Request) (candidate, bool) {
	switch {
	case request.File != "" && request.Descriptor >= 0:
		return candidate{
			source: SourceFlagFile, location: "the command line", final: true,
			read: func(context.Context, *Attempt) (Key, error) {
				return Key{}, fmt.Errorf("%s and %s cannot be used together", SourceFlagFile, SourceFlagFD)
			},
		}, true
	case request.File != "":
		return fileCandidate(SourceFlagFile, request.File), true
	case request.Descriptor != NoDescriptor:
		return candidate{
			source: SourceFlagFD, location: fmt.Sprintf("file descriptor %d", request.Descriptor), final: true,
			read: func(ctx context.Context, _ *Attempt) (Key, error) {
				return v.readDescriptorOnce(ctx, request.Descriptor)
			},
		}, true
	}
	return candidate{}, false
}

// readDescriptorOnce reads a descriptor on the first call and remembers the result, because a pipe can be read only once.
func (v *Vault) readDescriptorOnce(ctx context.Context, number int) (Key, error) {
	v.descriptorMu.Lock()
	defer v.descriptorMu.Unlock()
	if answer, ok := v.descriptors[number]; ok {
		return answer.key, answer.err
	}
	key, err := readDescriptor(ctx, number, v.env.DescriptorTimeout)
	v.descriptors[number] = descriptorAnswer{key, err}
	return key, err
}

// namedCandidate returns the source that the profile names, if there is one.
func (v *Vault) namedCandidate(profile Profile) (candidate, bool) {
	var place candidate
	switch profile.Source {
	case "":
		return candidate{}, false
	case SourceEnv:
		place = v.variableCandidate(SourceEnv, cmp.Or(profile.Variable, DefaultVariable))
	case SourceFile:
		place = fileCandidate(SourceFile, profile.File)
	case SourceCommand:
		place = v.commandCandidate(profile)
	case SourceKeyring:
		place = v.keyringCandidate(profile.Name)
	case SourceAge:
		place = v.ageCandidate(profile.Name)
	default:
		place = candidate{
			source: profile.Source, location: fmt.Sprintf("key source %q", profile.Source),
			read: func(context.Context, *Attempt) (Key, error) {
				return Key{}, fmt.Errorf("unknown key_source %q", profile.Source)
			},
		}
	}
	place.final = true
	return place, true
}

func (v *Vault) variableCandidate(source Source, name string) candidate {
	return candidate{
		source: source, location: "variable " + name,
		read: func(context.Context, *Attempt) (Key, error) {
			text := v.env.Getenv(name)
			if text == "" {
				return Key{}, ErrNotFound
			}
			return newKeyFrom(name, text)
		},
	}
}

func fileCandidate(source Source, path string) candidate {
	return candidate{
		source: source, location: "file " + path, final: true,
		read: func(context.Context, *Attempt) (Key, error) { return ReadKeyFile(path) },
	}
}

func (v *Vault) commandCandidate(profile Profile) candidate {
	program := ""
	if len(profile.Command) > 0 {
		program = profile.Command[0]
	}
	return candidate{
		source: SourceCommand, location: "key_command " + program,
		read: func(ctx context.Context, attempt *Attempt) (key Key, err error) {
			key, attempt.Stderr, err = runCommand(ctx, profile.Command, v.env.Environ, profile.Name, v.env.CommandTimeout)
			return key, err
		},
	}
}

func (v *Vault) keyringCandidate(profile string) candidate {
	return candidate{
		source: SourceKeyring, location: keyringEntry(profile),
		read: func(ctx context.Context, _ *Attempt) (Key, error) { return v.readKeyring(ctx, profile) },
	}
}

func keyringEntry(profile string) string { return fmt.Sprintf("keyring entry %s/%s", Service, profile) }

func (v *Vault) readKeyring(ctx context.Context, profile string) (Key, error) {
	if err := checkProfileName(profile); err != nil {
		return Key{}, err
	}
	text, err := v.callKeyring(ctx, func() (string, error) { return v.env.Keyring.Get(profile) })
	if err != nil {
		return Key{}, err
	}
	key, err := NewKey(text)
	if err != nil {
		return Key{}, fmt.Errorf("%s is not a key; store the key again with 'waybill keys add': %w",
			keyringEntry(profile), err)
	}
	return key, nil
}

func (v *Vault) ageCandidate(profile string) candidate {
	return candidate{
		source: SourceAge, location: "encrypted file " + v.AgePath(profile),
		read: func(ctx context.Context, _ *Attempt) (Key, error) {
			if err := checkProfileName(profile); err != nil {
				return Key{}, err
			}
			return v.readAge(ctx, profile)
		},
	}
}

func checkProfileName(profile string) error {
	if err := model.CheckProfileName(profile); err != nil {
		return fmt.Errorf("invalid profile name %q: %w", singleLine(profile), err)
	}
	return nil
}
