package jobs

import (
	"context"
	"log/slog"
)

// warningsOnly passes on warnings and errors only: River tells of every start and stop of its parts.
func warningsOnly(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(warningHandler{log.Handler()})
}

type warningHandler struct{ slog.Handler }

// Enabled implements slog.Handler.
func (h warningHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (h warningHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warningHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h warningHandler) WithGroup(name string) slog.Handler { return warningHandler{h.Handler.WithGroup(name)} }
