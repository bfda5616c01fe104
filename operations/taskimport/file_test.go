package taskimport_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"waybill/model"
	"waybill/operations/taskimport"
)

func TestEveryColumnSetsItsMember(t *testing.T) {
	var names, values []string
	alone := map[string]bool{
		"destination": true, "location": true, "longitude": true, "latitude": true, "address": true, "recipient_id": true, "window": true,
	}
	for _, field := range taskimport.Fields() {
		require.NotEmpty(t, field.About, field.Name)
		require.NotEmpty(t, field.Example, field.Name)
		if !alone[field.Name] {
			names, values = append(names, field.Name), append(values, field.Example)
		}
	}
	names = append(names, "field:gate", "field:floor:number", "meta:isVip:boolean", "meta:channel")
	values = append(values, "0042", "3", "true", "web")
	o := options()
	o.Team = func(string) (model.ID, error) { return "teamteamteamteamteamteam", nil }
	text := strings.Join(names, "\t") + "\n" + strings.Join(values, "\t") + "\n"
	file, err := taskimport.Parse(taskimport.FormatCSV, []byte(text), o)
	require.NoError(t, err)
	require.Empty(t, file.Problems())
	encoded, err := model.Marshal(file.Rows[0].Task)
	require.NoError(t, err)
	barcode := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	require.JSONEq(t, fmt.Sprintf(`{
		"destination": {"address": {"name": "Ferry Building", "number": "543", "street": "Howard St", "apartment": "5th floor",
			"city": "San Francisco", "state": "CA", "postalCode": "94105", "country": "United States"},
			"notes": "Ring twice", "options": {"language": "US"}},
		"recipients": [{"name": "Ada Okafor", "phone": "+14155550123", "notes": "Prefers the back door",
			"skipSMSNotifications": false, "skipPhoneNumberValidation": false}],
		"merchant": "yAM*fDkztrT3gUcz9mNDgNOL", "executor": "yAM*fDkztrT3gUcz9mNDgNOL",
		"completeAfter": 1772528400000, "completeBefore": 1772535600000, "pickupTask": false,
		"dependencies": ["11z1BbsQUZFHD1XAd~emDDeK"], "notes": "Order 332: two crates",
		"container": {"type": "TEAM", "team": "teamteamteamteamteamteam"},
		"quantity": 2, "additionalQuantities": {"quantityA": 1.5, "quantityB": 20, "quantityC": 0}, "serviceTime": 5,
		"recipientName": "Front desk", "recipientNotes": "It is a gift", "recipientSkipSMSNotifications": true,
		"useMerchantForProxy": true, "requirements": {"signature": true, "photo": true, "minimumAge": 18},
		"scanOnlyRequiredBarcodes": true, "barcodes": [
			{"data": %q, "blockCompletion": false}, {"data": %q, "blockCompletion": false}, {"data": %q, "blockCompletion": true}],
		"appearance": {"triangleColor": 1}, "template": "rYkkYQs~3EdnFkO2Qsp9XNLv",
		"metadata": [{"name": "isVip", "type": "boolean", "value": true}, {"name": "channel", "type": "string", "value": "web"}],
		"customFields": [{"key": "gate", "value": "0042"}, {"key": "floor", "value": 3}]}`,
		barcode("PKG-1"), barcode("PKG-2"), barcode("PKG-3")), string(encoded))
}

func TestTemplateCanBeImported(t *testing.T) {
	o := options()
	o.Team = func(string) (model.ID, error) { return model.NewID(), nil }
	file, err := taskimport.Parse(taskimport.FormatCSV, []byte(taskimport.Template()), o)
	require.NoError(t, err)
	require.Len(t, file.Rows, 1)
	require.Empty(t, file.Problems())
}

func TestBadRowsAreListedWithLineAndColumn(t *testing.T) {
	text := "address,recipient_name,recipient_phone,before,notes,quantity\n" + // 1
		"\"1 Howard St, San Francisco\",Ada,555,,,\n" + // 2: phone
		"\"2 Howard St, San Francisco\",,,soon,\"two\nlines\",many\n" + // 3: time and number, over two lines
		"\n" +
		"\"3 Howard St, San Francisco\",,,,fine,1\n" + // 6
		",,,,no place,\n" + // 7
		"\"4 Howard St\",x\n" // 8
	file, err := taskimport.Parse(taskimport.FormatCSV, []byte(text), options())
	require.NoError(t, err)
	var got []string
	for _, p := range file.Problems() {
		line, _, _ := strings.Cut(p.String(), ": ")
		got = append(got, line)
	}
	require.Equal(t, []string{"line 2, recipient_phone", "line 3, before", "line 3, quantity", "line 7, address", "line 8"}, got)
	require.Len(t, file.Valid(), 1)
	require.Equal(t, 6, file.Valid()[0].Line)
}

func TestInvalidFiles(t *testing.T) {
	for name, test := range map[string]struct {
		format     taskimport.Format
		text, says string
	}{
		"empty":                          {taskimport.FormatCSV, "", "the first line must name the columns"},
		"no rows":                        {taskimport.FormatCSV, "address\n", "contains no tasks"},
		"column no one knows":            {taskimport.FormatCSV, "qqqqqqqqqq\nx\n", `the columns are address, address_name, number`},
		"column twice by its short name": {taskimport.FormatCSV, "phone,recipient phone\nx,y\n", `the column "recipient_phone" comes twice`},
		"unknown column":                 {taskimport.FormatCSV, "cuntry\nx\n", `unknown column "cuntry"; did you mean "country"?`},
		"column twice":                   {taskimport.FormatCSV, "notes,Notes\nx,y\n", `the column "notes" comes twice`},
		"quote left open":                {taskimport.FormatCSV, "address\n\"x\n", "quote"},
		"not JSON":                       {taskimport.FormatJSON, "[\n{]", "line 2: it is not JSON"},
		"empty list":                     {taskimport.FormatJSON, "[]", "contains no tasks"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := taskimport.Parse(test.format, []byte(test.text), options())
			require.ErrorIs(t, err, taskimport.ErrFile)
			require.ErrorContains(t, err, test.says)
		})
	}
}

// A broken rule is reported at the column that a person typed in, not at the member of the request.
func TestProblemsNameColumns(t *testing.T) {
	var known []string
	for _, field := range taskimport.Fields() {
		known = append(known, field.Name)
	}
	for member, column := range map[string]string{
		"additionalQuantities.quantityB": "quantity_b", "pickupTask": "kind", "appearance.triangleColor": "color",
		"recipientName": "override_name", "destination.options.language": "language", "requirements": "require",
		"destination.address.city": "city", "completeBefore": "before", "dependencies[1]": "depends_on",
	} {
		require.Equal(t, column, taskimport.ColumnOf(member))
		require.Contains(t, known, column)
	}
	require.Equal(t, "unknown", taskimport.ColumnOf("unknown"))
}

func TestSemicolonsAndByteOrderMark(t *testing.T) {
	file := parse(t, "\ufeffAddress;Recipient Name;Recipient-Phone;#internal\r\n\"1 Howard St, San Francisco\";Ada;'+14155550123;ignored\r\n")
	task := file.Rows[0].Task
	require.Equal(t, "1 Howard St, San Francisco", task.Destination.Value().Object.Address.Value().Unparsed)
	require.Equal(t, "+14155550123", task.Recipients.Value()[0].Object.Phone.Value())
}

func TestJSONForms(t *testing.T) {
	const one = `{"destination":"2Ej*fTFUBsEMQPP1kZuTFUbE","recipients":[],"notes":"a","unknown":{"kept":1}}`
	for name, text := range map[string]string{
		"list":         "[\n" + one + ",\n" + one + "\n]",
		"batch body":   "\n{\"tasks\": [\n" + one + "," + one + "]}",
		"one a line":   one + "\n" + one + "\n",
		"failed again": `{"line":2,"error":"x","task":` + one + "}\n" + `{"task":` + one + "}",
	} {
		t.Run(name, func(t *testing.T) {
			file, err := taskimport.Parse(taskimport.FormatJSON, []byte(text), options())
			require.NoError(t, err)
			require.Empty(t, file.Problems())
			require.Len(t, file.Rows, 2)
			require.Equal(t, file.Rows[0].Hash, file.Rows[1].Hash)
			encoded, err := model.Marshal(file.Rows[1].Task)
			require.NoError(t, err)
			require.JSONEq(t, one, string(encoded))
		})
	}
	file, err := taskimport.Parse(taskimport.FormatJSON, []byte("[\n"+one+",\n\n3,\n{\"notes\":5}]"), options())
	require.NoError(t, err)
	require.Equal(t, 2, file.Rows[0].Line)
	require.Equal(t, []int{4, 5}, []int{file.Problems()[0].Line, file.Problems()[1].Line})
}

func TestFailedJSONRowsCanBeImported(t *testing.T) {
	task := func(notes string) string {
		return `{"destination":"2Ej*fTFUBsEMQPP1kZuTFUbE","recipients":[],"notes":"` + notes + `"}`
	}
	text := "[" + task("a") + "," + task("b") + "," + task("c") + "," + task("b") + "]" // all in one line
	file, err := taskimport.Parse(taskimport.FormatJSON, []byte(text), options())
	require.NoError(t, err)
	var out strings.Builder
	failure := taskimport.Failure{RowRef: taskimport.RowRef{Line: 1, Hash: file.Rows[1].Hash}, Cause: "no"}
	require.NoError(t, file.WriteFailed(&out, []taskimport.Failure{failure}))
	back, err := taskimport.Parse(taskimport.FormatJSON, []byte(out.String()), options())
	require.NoError(t, err)
	require.Len(t, back.Rows, 1, "what was created is not offered again")
	require.Equal(t, file.Rows[1].Hash, back.Rows[0].Hash)
}

func TestDetectFormat(t *testing.T) {
	require.Equal(t, taskimport.FormatCSV, taskimport.DetectFormat("a.CSV", nil))
	require.Equal(t, taskimport.FormatJSON, taskimport.DetectFormat("a.jsonl", nil))
	require.Equal(t, taskimport.FormatJSON, taskimport.DetectFormat("-", []byte(" \n[{")))
	require.Equal(t, taskimport.FormatCSV, taskimport.DetectFormat("-", []byte("address\n")))
	require.Equal(t, "x/tasks.failed.csv", taskimport.FailedPath("x/tasks.csv", taskimport.FormatCSV))
	require.Equal(t, "tasks.failed.jsonl", taskimport.FailedPath("tasks.json", taskimport.FormatJSON))
}

func TestLocationOrder(t *testing.T) {
	at, err := taskimport.ParseLocation("-122.3965, 37.7883")
	require.NoError(t, err)
	require.Equal(t, model.Location{Lon: -122.3965, Lat: 37.7883}, at)
	_, err = taskimport.ParseLocation("37.7883,-122.3965")
	require.ErrorContains(t, err, "the longitude comes first: -122.3965,37.7883")
}

func FuzzParse(f *testing.F) {
	f.Add("address,notes\n\"x, y\",z\n", true)
	f.Add(`[{"destination":"x"}]`, false)
	f.Add(`{"tasks":[{}]}`, false)
	f.Fuzz(func(t *testing.T, text string, asCSV bool) {
		format := taskimport.FormatJSON
		if asCSV {
			format = taskimport.FormatCSV
		}
		file, err := taskimport.Parse(format, []byte(text), taskimport.Options{Now: now, Zone: time.UTC, Country: "US"})
		if err != nil {
			return
		}
		var failures []taskimport.Failure
		for _, row := range file.Rows {
			failures = append(failures, taskimport.Failure{RowRef: taskimport.RowRef{Line: row.Line, Hash: row.Hash}, Cause: "x"})
		}
		var out strings.Builder
		if err := file.WriteFailed(&out, failures); err != nil {
			t.Fatal(err)
		}
	})
}

// The short names of flags work as column names.
func TestShortColumnNames(t *testing.T) {
	file, err := taskimport.Parse(taskimport.FormatCSV, []byte("Name,Phone,address\nAda,+14155550123,\"1 Main St, San Francisco, CA, USA\"\n"), taskimport.Options{})
	require.NoError(t, err)
	require.Empty(t, file.Problems())
	person := file.Rows[0].Task.Recipients.Value()[0].Object
	require.Equal(t, "Ada", person.Name.Value())
	require.Equal(t, "+14155550123", person.Phone.Value())
}
