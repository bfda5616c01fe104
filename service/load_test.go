package service_test

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// load sends the requests of a benchmark over one connection per client. It shares the machine with the service, so it
// only writes bytes and reads as much of the answer as needed, to cost almost nothing.
type load struct {
	b    *testing.B
	base string // path under which the service answers
	head string // header lines that every request has
	idle chan *loadConn
}

// loadConn is one connection with reused buffers.
type loadConn struct {
	net.Conn
	in  *bufio.Reader
	out []byte
	got []byte
}

// newLoad opens the connections to a service at a base URL.
func newLoad(b *testing.B, baseURL, key string) *load {
	b.Helper()
	at, err := url.Parse(baseURL)
	require.NoError(b, err)
	l := &load{b: b, base: at.Path, idle: make(chan *loadConn, benchClients)}
	l.head = " HTTP/1.1\r\nHost: " + at.Host + "\r\nAuthorization: Basic " +
		base64.StdEncoding.EncodeToString([]byte(key+":")) + "\r\nContent-Type: application/json\r\nContent-Length: "
	for range benchClients {
		conn, err := (&net.Dialer{}).DialContext(b.Context(), "tcp", at.Host)
		require.NoError(b, err)
		b.Cleanup(func() { conn.Close() })
		l.idle <- &loadConn{Conn: conn, in: bufio.NewReaderSize(conn, 16<<10)}
	}
	return l
}

// send sends a request and fails the benchmark unless it succeeds.
func (l *load) send(method, path string, body []byte) {
	c := <-l.idle
	defer func() { l.idle <- c }()
	c.out = append(append(append(append(c.out[:0], method...), ' '), l.base...), path...)
	c.out = strconv.AppendInt(append(c.out, l.head...), int64(len(body)), 10)
	c.out = append(append(c.out, "\r\n\r\n"...), body...)
	if _, err := c.Write(c.out); err != nil {
		l.b.Error(err)
		return
	}
	status, err := c.receive()
	if err != nil || status != http.StatusOK {
		l.b.Errorf("%s %s: %d %s %v", method, path, status, c.got, err)
	}
}

// receive reads an answer with a Content-Length.
func (c *loadConn) receive() (status int, err error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	if status, err = strconv.Atoi(string(line[len("HTTP/1.1 "):len("HTTP/1.1 200")])); err != nil {
		return 0, fmt.Errorf("bad status line %q", line)
	}
	length := -1
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return status, err
		}
		if len(line) <= len("\r\n") {
			break
		}
		const name = "Content-Length: "
		if len(line) > len(name) && string(line[:len(name)]) == name {
			if length, err = strconv.Atoi(strings.TrimSpace(string(line[len(name):]))); err != nil {
				return status, fmt.Errorf("bad header line %q", line)
			}
		}
	}
	if length < 0 {
		return status, textproto.ProtocolError("the answer does not say how long it is")
	}
	if cap(c.got) < length {
		c.got = make([]byte, length)
	}
	c.got = c.got[:length]
	_, err = io.ReadFull(c.in, c.got)
	return status, err
}
