package settings

import "bytes"

// FileFromText lets the fuzz test edit a file without a disk. The text must be valid.
func FileFromText(path string, text []byte) *File {
	file, err := parseFile(path, bytes.TrimPrefix(text, []byte(byteOrderMark)))
	if err != nil {
		panic(err)
	}
	return file
}

// Parse reads settings from a text; name stands for the file in errors.
func Parse(name string, text []byte) (Settings, error) {
	file, err := parseFile(name, bytes.TrimPrefix(text, []byte(byteOrderMark)))
	if err != nil {
		return Settings{}, err
	}
	return file.Settings, nil
}
