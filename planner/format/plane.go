package format

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"waybill/planner"
)

// planeFile is what the benchmark formats have in common: equal vehicles at one depot and customers on a plane.
type planeFile struct {
	name               string
	vehicles, capacity int64
	customers          []customer
}

// customer is one line; the first is the depot.
type customer struct {
	x, y, demand, ready, due, service float64
	pickup, delivery                  int // line numbers, Li & Lim only
}

// ReadSolomon reads the format of Solomon and of Gehring & Homberger.
func ReadSolomon(r io.Reader, rounding Rounding) (*Document, error) {
	var file planeFile
	err := readLines(r, func(line string, fields []string) error {
		numbers, ok := parseNumbers(fields)
		switch {
		case !ok && file.name == "":
			file.name = strings.TrimSpace(line)
		case !ok:
		case len(numbers) == 2:
			file.vehicles, file.capacity = int64(numbers[0]), int64(numbers[1])
		case len(numbers) == 7:
			file.customers = append(file.customers, customer{
				x: numbers[1], y: numbers[2], demand: numbers[3], ready: numbers[4], due: numbers[5], service: numbers[6],
			})
		default:
			return fmt.Errorf("a line has %d numbers: %w; a customer has 7 and the fleet 2", len(numbers), ErrSyntax)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return file.newDocument(rounding, false)
}

// ReadLiLim reads the pickup-and-delivery format of Li & Lim.
func ReadLiLim(r io.Reader, rounding Rounding) (*Document, error) {
	var file planeFile
	err := readLines(r, func(_ string, fields []string) error {
		numbers, ok := parseNumbers(fields)
		switch {
		case !ok:
			return fmt.Errorf("a line is not made of numbers: %w", ErrSyntax)
		case len(numbers) == 3 && file.capacity == 0:
			file.vehicles, file.capacity = int64(numbers[0]), int64(numbers[1])
		case len(numbers) == 9:
			file.customers = append(file.customers, customer{
				x: numbers[1], y: numbers[2], demand: numbers[3], ready: numbers[4], due: numbers[5], service: numbers[6],
				pickup: int(numbers[7]), delivery: int(numbers[8]),
			})
		default:
			return fmt.Errorf("a line has %d numbers: %w; a task has 9 and the fleet 3", len(numbers), ErrSyntax)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return file.newDocument(rounding, true)
}

func readLines(r io.Reader, visit func(line string, fields []string) error) error {
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		if fields := strings.Fields(lines.Text()); len(fields) > 0 {
			if err := visit(lines.Text(), fields); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
		}
	}
	return lines.Err()
}

// maxCoordinate is the largest number a file may hold; above it, a 32-bit distance would overflow.
const maxCoordinate = 1 << 14

func parseNumbers(fields []string) ([]float64, bool) {
	numbers := make([]float64, len(fields))
	for i, f := range fields {
		n, err := strconv.ParseFloat(f, 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return nil, false
		}
		numbers[i] = n
	}
	return numbers, true
}

// newDocument makes the problem: a matrix of rounded distances, equal workers, and a task for each customer.
func (f *planeFile) newDocument(rounding Rounding, pairs bool) (*Document, error) {
	if len(f.customers) == 0 || f.vehicles < 1 || f.vehicles > maxFileTasks || len(f.customers) > maxFileTasks || f.capacity < 0 {
		return nil, fmt.Errorf("%d customers, %d vehicles, capacity %d: %w; a file needs a depot and at least one vehicle",
			len(f.customers), f.vehicles, f.capacity, ErrSyntax)
	}
	for i, c := range f.customers {
		if math.Abs(c.x) > maxCoordinate || math.Abs(c.y) > maxCoordinate || c.due > 50_000 || c.service > 50_000 || c.ready > 50_000 {
			return nil, fmt.Errorf("customer %d: a coordinate is above %d or a time above 50000: %w", i, maxCoordinate, ErrSyntax)
		}
	}
	p := &planner.Problem{
		Places: make([]planner.Place, len(f.customers)),
		Travel: map[planner.Profile]*planner.Matrix{planner.Car: f.matrix(rounding)},
	}
	for i, c := range f.customers {
		p.Places[i] = planner.Place{Lat: c.y, Lng: c.x}
	}
	scale := float64(rounding.Scale())
	for k := range f.vehicles {
		depot := &f.customers[0]
		p.Workers = append(p.Workers, planner.Worker{
			ID: strconv.FormatInt(k+1, 10), Vehicle: planner.Car, From: int64(depot.ready * scale), Until: int64(depot.due * scale),
			Capacity: planner.Quantities{f.capacity, planner.Unlimited, planner.Unlimited, planner.Unlimited},
		})
	}
	for i := 1; i < len(f.customers); i++ {
		t, err := f.newTask(i, scale, pairs)
		if err != nil {
			return nil, err
		}
		p.Tasks = append(p.Tasks, t)
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	read := Solomon
	if pairs {
		read = LiLim
	}
	return &Document{Name: f.name, Format: read, Problem: p, Scale: rounding.Scale()}, nil
}

// newTask turns a line into a task. These files bound the start of the service, the planner its end.
func (f *planeFile) newTask(i int, scale float64, pairs bool) (planner.Task, error) {
	c := &f.customers[i]
	t := planner.Task{
		ID: strconv.Itoa(i), Place: i, Service: int64(c.service * scale),
		After: int64(c.ready * scale), Before: int64(c.due*scale) + int64(c.service*scale),
		Quantities: planner.Quantities{int64(math.Abs(c.demand))},
	}
	if !pairs {
		return t, nil
	}
	t.Pickup = c.delivery > 0
	if c.pickup > 0 {
		if c.pickup >= len(f.customers) || c.pickup == i {
			return t, fmt.Errorf("task %d belongs to pickup %d of %d: %w", i, c.pickup, len(f.customers)-1, ErrSyntax)
		}
		t.DependsOn = []string{strconv.Itoa(c.pickup)}
	}
	return t, nil
}

func (f *planeFile) matrix(rounding Rounding) *planner.Matrix {
	n := len(f.customers)
	m := &planner.Matrix{Size: n, Times: make([]int32, n*n)}
	for i := range n {
		for j := range n {
			a, b := &f.customers[i], &f.customers[j]
			m.Times[i*n+j] = rounding.toUnits(math.Sqrt((a.x-b.x)*(a.x-b.x) + (a.y-b.y)*(a.y-b.y)))
		}
	}
	return m
}
