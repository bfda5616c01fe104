package format

import (
	"fmt"
	"io"
	"strings"

	"waybill/planner"
)

// WriteRoutes writes a plan as CVRPLIB does: a line for each route in use, and the cost.
func WriteRoutes(w io.Writer, doc *Document, sol *planner.Plan) error {
	number := 0
	for i := range sol.Routes {
		route := &sol.Routes[i]
		if len(route.Stops) == 0 {
			continue
		}
		number++
		ids := make([]string, len(route.Stops))
		for k := range route.Stops {
			ids[k] = route.Stops[k].Task
		}
		if _, err := fmt.Fprintf(w, "Route #%d: %s\n", number, strings.Join(ids, " ")); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "Cost %s\n", Cost(doc, sol))
	return err
}

// Cost is the time on the road and the fixed costs in the units of the file.
func Cost(doc *Document, sol *planner.Plan) string {
	total := sol.Cost.Travel + sol.Cost.Fixed
	switch doc.Scale {
	case 1:
		return fmt.Sprint(total)
	case 10:
		return fmt.Sprintf("%.1f", float64(total)/10)
	default:
		return fmt.Sprintf("%.2f", float64(total)/float64(doc.Scale))
	}
}
