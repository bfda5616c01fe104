package screenbench

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// Print writes the reports as tables that compare the console with the empty program of the same run. The first report
// must be the empty program's, as [Run] returns them, because its first exercise is what the others are compared with.
func Print(w io.Writer, reports []Report) error {
	if len(reports) == 0 || len(reports[0].Exercises) == 0 {
		return nil
	}
	empty := reports[0].Exercises[0]
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "program\tkey\tmedian\t×empty\tp99\t×empty\tCPU per key\tbytes\tleast\t×least\t")
	for _, r := range reports {
		for _, e := range r.Exercises {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.0f\t%.0f\t%s\t\n", r.Name, e.Name,
				milliseconds(e.Median), ratio(float64(e.Median), float64(empty.Median)),
				milliseconds(e.P99), ratio(float64(e.P99), float64(empty.P99)),
				milliseconds(e.CPU), e.Bytes, e.MinBytes, ratio(e.Bytes, e.MinBytes))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	fmt.Fprintln(table, "program\tfirst frame\t×empty\tall rows\tidle CPU\tidle bytes/s\tmemory\t")
	for _, r := range reports {
		loaded := "-"
		if r.Loaded > 0 {
			loaded = milliseconds(r.Loaded)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%.2f %%\t%.0f\t%.0f MB\t\n", r.Name, milliseconds(r.FirstFrame),
			ratio(float64(r.FirstFrame), float64(reports[0].FirstFrame)), loaded, 100*r.IdleCPU, r.IdleBytes, float64(r.Memory)/(1<<20))
	}
	return table.Flush()
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

func ratio(a, b float64) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", a/b)
}
