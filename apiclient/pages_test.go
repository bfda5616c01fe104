package apiclient_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/apiclient"
	"waybill/model"
)

// listServer answers with the page behind each lastId.
func listServer(pages map[string]string, asked *[]string) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		last := r.URL.Query().Get("lastId")
		*asked = append(*asked, last)
		page, ok := pages[last]
		if !ok {
			return answer(http.StatusInternalServerError, `{"code":"Internal","message":{"error":2500,"message":"no"}}`), nil
		}
		return answer(http.StatusOK, page), nil
	}
}

// fast is a budget that never waits.
func fast(o *apiclient.Options) {
	o.Limiter = apiclient.NewLimiter(apiclient.LimiterOptions{PerSecond: 10_000_000})
}

func ids(tasks func(func(model.Task, error) bool)) (ids []model.ID, err error) {
	for task, err := range tasks {
		if err != nil {
			return ids, err
		}
		ids = append(ids, task.ID)
	}
	return ids, nil
}

func TestListEndsWithoutLastID(t *testing.T) {
	t.Parallel()
	var asked []string
	client := newClient(t, listServer(map[string]string{
		"":  `{"lastId":"b","tasks":[{"id":"a"},{"id":"b"}]}`,
		"b": `{"lastId":"c","tasks":[]}`,
		"c": `{"lastId":"d","tasks":[{"id":"d"}]}`,
		"d": `{"lastId":null,"tasks":[{"id":"e"}]}`,
	}, &asked), fast)
	got, err := ids(client.Tasks(t.Context(), apiclient.TaskQuery{From: 1}))
	require.NoError(t, err)
	require.Equal(t, []model.ID{"a", "b", "d", "e"}, got)
	require.Equal(t, []string{"", "b", "c", "d"}, asked)
}

func TestListRequestsOnlyNeededPages(t *testing.T) {
	t.Parallel()
	var asked []string
	client := newClient(t, listServer(map[string]string{
		"": `{"lastId":"b","tasks":[{"id":"a"},{"id":"b"}]}`,
	}, &asked), fast)
	for task, err := range client.TeamTasks(t.Context(), teamID, apiclient.OwnTasksQuery{}) {
		require.NoError(t, err)
		if task.ID == "b" {
			break
		}
	}
	require.Len(t, asked, 1)
}

func TestListContinuesAfterAnID(t *testing.T) {
	t.Parallel()
	var asked []string
	client := newClient(t, listServer(map[string]string{"b": `{"tasks":[{"id":"c"}]}`}, &asked), fast)
	got, err := ids(client.WorkerTasks(t.Context(), workerID, apiclient.OwnTasksQuery{LastID: "b"}))
	require.NoError(t, err)
	require.Equal(t, []model.ID{"c"}, got)
}

func TestListStopsAtAnError(t *testing.T) {
	t.Parallel()
	var asked []string
	client := newClient(t, listServer(map[string]string{"": `{"lastId":"b","tasks":[{"id":"a"}]}`}, &asked), fast)
	got, err := ids(client.Tasks(t.Context(), apiclient.TaskQuery{}))
	require.ErrorIs(t, err, apiclient.ErrServer)
	require.Equal(t, []model.ID{"a"}, got)
}

// TestRepeatedPageEndsTheList has services that repeat pages in cycles of several lengths.
func TestRepeatedPageEndsTheList(t *testing.T) {
	t.Parallel()
	for _, lead := range []int{0, 1, 5} {
		for _, circle := range []int{1, 2, 3, 7} {
			t.Run(fmt.Sprint(lead, "+", circle), func(t *testing.T) {
				t.Parallel()
				page := 0
				client := newClient(t, func(*http.Request) (*http.Response, error) {
					page++
					if page > 100*(lead+circle) {
						return nil, errors.New("the circle was not noticed")
					}
					id := page
					if page > lead {
						id = lead + (page-lead)%circle
					}
					return answer(200, fmt.Sprintf(`{"lastId":"page%d","tasks":[{"id":"x"}]}`, id)), nil
				}, fast)
				_, err := ids(client.Tasks(t.Context(), apiclient.TaskQuery{}))
				require.ErrorIs(t, err, apiclient.ErrRepeatedPage)
				require.LessOrEqual(t, page, 4*(lead+circle)+4)
			})
		}
	}
}

// TestEventsSinceReadsEveryPageInBetween: what happened since comes as one list, however many pages it takes.
func TestEventsSinceReadsEveryPageInBetween(t *testing.T) {
	t.Parallel()
	newest := 107
	var asked []string
	client := newClient(t, roundTrip(func(r *http.Request) (*http.Response, error) {
		asked = append(asked, r.URL.Query().Encode())
		before, after := newest+1, 0
		fmt.Sscan(r.URL.Query().Get("before"), &before) //nolint:errcheck // absent means no bound
		fmt.Sscan(r.URL.Query().Get("after"), &after)   //nolint:errcheck // see above
		page := ""
		for id := before - 1; id > max(after, before-4); id-- {
			page += fmt.Sprintf(`,{"id":%d,"deliveries":[]}`, id)
		}
		last := ""
		if before-4 > after {
			last = fmt.Sprintf(`"lastId":%d,`, before-3)
		}
		return answer(http.StatusOK, `{`+last+`"events":[`+strings.TrimPrefix(page, ",")+`]}`), nil
	}), fast)
	log, err := client.EventsSince(t.Context(), 100)
	require.NoError(t, err)
	require.False(t, log.LastID.Has())
	require.Equal(t, []string{"after=100", "after=100&before=105", "after=100&before=102"}, asked)
	require.Len(t, log.Events, 7)
	for i, event := range log.Events {
		require.EqualValues(t, newest-i, event.ID)
	}
	log, err = client.EventsSince(t.Context(), 107)
	require.NoError(t, err)
	require.Empty(t, log.Events)
	require.Len(t, asked, 4)

	log, err = client.EventsSince(t.Context(), 1)
	require.NoError(t, err)
	require.True(t, log.LastID.Has(), "there was too much to read at once")
	require.EqualValues(t, newest, log.Events[0].ID)
	require.Less(t, len(asked), 20)
}
