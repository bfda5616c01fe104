package planbench

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// reference is the best known result of an instance.
type reference struct {
	vehicles int
	distance float64
}

func (r reference) isBetter(other reference, objective string) bool {
	if objective == objectiveVehicles && r.vehicles != other.vehicles {
		return r.vehicles < other.vehicles
	}
	return r.distance < other.distance
}

// The names of the objectives in a file of references.
const (
	objectiveDistance = "distance_only_dimacs"
	objectiveVehicles = "vehicles_then_distance"
)

// referenceKey identifies a reference. The instance is in lower case because file names differ in case.
type referenceKey struct{ instance, objective string }

func (m *measurement) key() referenceKey {
	objective := objectiveDistance
	if m.vehiclesFirst {
		objective = objectiveVehicles
	}
	return referenceKey{strings.ToLower(m.name), objective}
}

// readReferences reads files of references and keeps the best one of each instance.
func readReferences(files []string) (map[referenceKey]reference, error) {
	all := map[referenceKey]reference{}
	for _, name := range files {
		if err := readReferenceFile(name, all); err != nil {
			return nil, fmt.Errorf("best known values %s: %w", name, err)
		}
	}
	return all, nil
}

func readReferenceFile(name string, all map[referenceKey]reference) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	rows := csv.NewReader(f)
	rows.FieldsPerRecord = -1
	for {
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(row) < 5 || row[0] == "set" {
			continue
		}
		vehicles, err1 := strconv.Atoi(row[3])
		distance, err2 := strconv.ParseFloat(row[4], 64)
		if err := errors.Join(err1, err2); err != nil {
			return fmt.Errorf("%s: %w; vehicles and distance must be numbers", row[1], err)
		}
		key := referenceKey{strings.ToLower(row[1]), row[2]}
		found := reference{vehicles, distance}
		if old, ok := all[key]; !ok || found.isBetter(old, row[2]) {
			all[key] = found
		}
	}
}

// saveReferences appends the results without left-out tasks to a file of references.
func saveReferences(file string, all []measurement) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	for i := range all {
		m := &all[i]
		if m.leftOut == 0 {
			_ = w.Write([]string{
				m.set, m.name, m.key().objective, strconv.Itoa(m.vehicles), strconv.FormatFloat(m.distance, 'f', 1, 64),
				fmt.Sprintf("found in %s", m.budget),
			})
		}
	}
	w.Flush()
	return errors.Join(w.Error(), f.Close())
}
