package operations

import "context"

// StepProgress is how far a step is that takes long.
type StepProgress struct {
	Done, Total int
	Text        string // "480 of 970 created, batch 1 of 2"
}

type progressKey struct{}

// WithProgress lets steps tell how far they are. Whoever carries out a step puts it into the context of Do; tell is
// called from the goroutine that Do runs in.
func WithProgress(ctx context.Context, tell func(StepProgress)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

// reportProgress reports to whoever listens.
func reportProgress(ctx context.Context, p StepProgress) {
	if tell, ok := ctx.Value(progressKey{}).(func(StepProgress)); ok {
		tell(p)
	}
}
