package credentials

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
)

// candidate is a place to look in.
type candidate struct {
	source Source
	location  string
	// final ends the search here, whatever the outcome: this place was asked for by name.
	final bool
	read  func(ctx context.Context) (key Key, said string, err error)
}

// candidates lists the places of a request in order. The first final one ends the list.
func (v *Vault) candidates(request Request) []candidate {
	profile := request.Profile
	var found []candidate
	if key, ok := v.rememberedKey(profile.Name); ok {
		return []candidate{{
			source: SourceMemory, location: "memory, for this run only", final: true,
			read: func(context.Context) (Key, string, error) { return key, "", nil },
		}}
	}
	if !request.ProfileOnly {
		if override, ok := v.flagCandidate(request); ok {
			return []candidate{override}
		}
		// An unset variable is worth telling: it is the first thing to check when a key is missing. A set one that holds no
		// key fails, and a failure ends the search.
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

// flagCandidate returns the place the command line names, if it names one.
func (v *Vault) flagCandidate(request Request) (candidate, bool) {
	switch {
	case request.File != "" && request.Descriptor >= 0:
		return candidate{
			source: SourceFlagFile, location: "the command line", final: true,
			read: func(context.Context) (Key, string, error) {
				return Key{}, "", fmt.Errorf("%s and %s are both given; give one", SourceFlagFile, SourceFlagFD)
			},
		}, true
	case request.File != "":
		return fileCandidate(SourceFlagFile, request.File), true
	case request.Descriptor != NoDescriptor:
		return candidate{
			source: SourceFlagFD, location: fmt.Sprintf("file descriptor %d", request.Descriptor), final: true,
			read: func(ctx context.Context) (Key, string, error) {
				key, err := v.readDescriptorOnce(ctx, request.Descriptor)
				return key, "", err
			},
		}, true
	}
	return candidate{}, false
}

// readDescriptorOnce reads a descriptor once: a pipe has nothing more to say the second time.
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

// namedCandidate returns the place the profile names, if it names one.
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
			read: func(context.Context) (Key, string, error) {
				return Key{}, "", fmt.Errorf("a profile cannot name the key source %q", profile.Source)
			},
		}
	}
	place.final = true
	return place, true
}

func (v *Vault) variableCandidate(source Source, name string) candidate {
	return candidate{
		source: source, location: "variable " + name,
		read: func(context.Context) (Key, string, error) {
			text := v.env.Getenv(name)
			if text == "" {
				return Key{}, "", ErrNotFound
			}
			key, err := NewKey(text)
			if err != nil {
				return Key{}, "", fmt.Errorf("%s: %w", name, err)
			}
			return key, "", nil
		},
	}
}

func fileCandidate(source Source, path string) candidate {
	return candidate{
		source: source, location: "file " + path, final: true,
		read: func(context.Context) (Key, string, error) {
			key, err := ReadKeyFile(path)
			return key, "", err
		},
	}
}

func (v *Vault) commandCandidate(profile Profile) candidate {
	program := ""
	if len(profile.Command) > 0 {
		program = profile.Command[0]
	}
	return candidate{
		source: SourceCommand, location: "key_command " + program,
		read: func(ctx context.Context) (Key, string, error) {
			return runCommand(ctx, profile.Command, v.env.Environ, profile.Name, v.env.CommandTimeout)
		},
	}
}

func (v *Vault) keyringCandidate(profile string) candidate {
	return candidate{
		source: SourceKeyring, location: keyringEntry(profile),
		read: func(ctx context.Context) (Key, string, error) {
			key, err := v.readKeyring(ctx, profile)
			return key, "", err
		},
	}
}

func keyringEntry(profile string) string { return fmt.Sprintf("keyring entry %s/%s", Service, profile) }

func (v *Vault) readKeyring(ctx context.Context, profile string) (Key, error) {
	if err := checkProfileName(profile); err != nil {
		return Key{}, err
	}
	text, err := callWithTimeout(ctx, v.env.KeyringTimeout, func() (string, error) { return v.env.Keyring.Get(profile) })
	if err != nil {
		return Key{}, err
	}
	key, err := NewKey(text)
	if err != nil {
		return Key{}, fmt.Errorf("%s holds something else; store the key again with 'waybill keys add': %w",
			keyringEntry(profile), err)
	}
	return key, nil
}

func (v *Vault) ageCandidate(profile string) candidate {
	return candidate{
		source: SourceAge, location: "encrypted file " + v.AgePath(profile),
		read: func(ctx context.Context) (Key, string, error) {
			if err := checkProfileName(profile); err != nil {
				return Key{}, "", err
			}
			key, err := v.readAge(ctx, profile)
			return key, "", err
		},
	}
}

// checkProfileName refuses names that are no good as a file name or as an argument of the system's keyring tool.
func checkProfileName(profile string) error {
	const longest = 64
	if len(profile) <= longest && regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`).MatchString(profile) {
		return nil
	}
	return fmt.Errorf("%q cannot be the name of a profile: use letters, digits, dots, dashes and underscores, "+
		"begin with a letter or digit, and stay within %d", singleLine(profile), longest)
}
