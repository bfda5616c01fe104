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
