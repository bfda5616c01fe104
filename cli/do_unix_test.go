//go:build unix

package cli

import (
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/internal/servicetest"
	"waybill/model"
)

func TestDoAsksOnATerminal(t *testing.T) {
	service := servicetest.Start(t)
	var task model.Task
	service.Do("POST", "/tasks", `{"destination":{"address":{"unparsed":"`+anAddress+`"}},"recipients":[]}`).OK(&task)
	args := []string{"do", "task.notes", string(task.ShortID), "--base-url", service.URL}
	seen, code := runAtTerminal(t, service.Key, args, func(seen *screen, keyboard io.Writer) {
		for _, talk := range []struct{ question, answer string }{
			{"contains only a dot", "Ring twice\r.\r"}, {"Type yes: ", "yes\r"},
		} {
			seen.waitFor(t, talk.question)
			_, err := io.WriteString(keyboard, talk.answer)
			require.NoError(t, err)
		}
	})
	require.Equal(t, exitOK, code, seen)
	require.NotContains(t, seen, "\x1b", "nothing is drawn")
	service.Do("GET", "/tasks/"+string(task.ID), nil).OK(&task)
	require.Equal(t, "Ring twice", task.Notes)
}

func TestInterruptedQuestionEndsAtOnce(t *testing.T) {
	service := servicetest.Start(t)
	address := startProxy(t, service, func(_ http.ResponseWriter, r *http.Request, _ http.Handler) bool {
		require.Equal(t, http.MethodGet, r.Method)
		return false
	})
	ctx, interrupt := context.WithCancel(context.Background())
	a, _ := newTestProgram(t, service.Key, "")
	silent, keyboard := io.Pipe() // someone who never answers
	defer keyboard.Close()
	seen := &screen{more: make(chan struct{}, 1)}
	a.stdin, a.stdout = silent, seen
	code := make(chan int, 1)
	go func() { code <- execute(ctx, a, []string{"do", "create.recipient", "--base-url", address}) }()
	seen.waitFor(t, "> ")
	interrupt()
	require.Equal(t, exitInterrupted, seen.waitForExit(t, code))
}
