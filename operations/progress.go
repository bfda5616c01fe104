package operations

import "context"

// StepProgress is how far a long step is.
type StepProgress struct {
	Done, Total int
	Text        string // "480 of 970 created, batch 1 of 2"
}

type progressKey struct{}

// WithProgress lets a step report its progress: Do calls report with this context, from its own goroutine.
func WithProgress(ctx context.Context, report func(StepProgress)) context.Context {
	return context.WithValue(ctx, progressKey{}, report)
}

func reportProgress(ctx context.Context, p StepProgress) {
	if report, ok := ctx.Value(progressKey{}).(func(StepProgress)); ok {
		report(p)
	}
}
