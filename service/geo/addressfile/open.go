package addressfile

import (
	"bufio"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
)

// An index begins with its magic, whose last 8 bytes are the number of houses plus one; 0 means that it is not complete.
// The houses follow, then the names.
const (
	magic      = "waybill addresses 1\n" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00"
	headerSize = int64(len(magic))
	countAt    = headerSize - 8
)

var errOtherIndex = errors.New("the index is damaged or belongs to another file")

// writeHouseCount marks an index as complete.
func writeHouseCount(out *os.File, count int) error {
	_, err := out.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(count)+1), countAt)
	return errors.Join(err, out.Sync())
}

// openIndex opens an index, which must be that of a version of the source.
func openIndex(path string, version sourceVersion) (*Map, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	m := &Map{file: file, close: file.Close}
	if err := m.load(file, version); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), file.Close())
	}
	return m, nil
}

func (m *Map) load(file *os.File, version sourceVersion) error {
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(file, header); err != nil {
		return err
	}
	count := binary.LittleEndian.Uint64(header[countAt:])
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if string(header[:countAt]) != magic[:countAt] || count == 0 || count > uint64(info.Size())/houseSize {
		return errOtherIndex
	}
	m.houses = int(count - 1)
	if _, err := file.Seek(headerSize+int64(m.houses)*houseSize, io.SeekStart); err != nil {
		return err
	}
	if err := gob.NewDecoder(bufio.NewReaderSize(file, 1<<16)).Decode(&m.names); err != nil {
		return err
	}
	if n := &m.names; n.Source != version || n.HouseCount != m.houses || len(n.Cities) != len(n.CityEnds) ||
		len(n.First) != len(n.Count) || len(n.KeyEnds) != len(n.First) || len(n.TitleEnds) != len(n.First) {
		return errOtherIndex
	}
	return nil
}
