package board

import (
	"strings"

	"waybill/model"
)

// KnownRecipient is a recipient that the board has met on a task.
type KnownRecipient struct {
	Name  string
	Phone string
}

// KnownRecipients lists recipients in whose name or phone the text is found, for pickers.
func (s *Snapshot) KnownRecipients(text string, limit int) []KnownRecipient {
	folded := foldText(text)
	seen := map[string]bool{}
	var found []KnownRecipient
	for r := range s.Tasks.All() {
		if len(found) == limit {
			break
		}
		if (r.RecipientName == "" && r.Phone == "") || !strings.Contains(r.search, folded) {
			continue
		}
		// The phone is what makes a recipient: two tasks with one phone have one recipient.
		key := r.Phone + "\n" + r.RecipientName
		if seen[key] || !strings.Contains(foldText(key), folded) {
			continue
		}
		seen[key] = true
		found = append(found, KnownRecipient{r.RecipientName, r.Phone})
	}
	return found
}

// KnownDestination is a destination that the board has met on a task.
type KnownDestination struct {
	ID       model.ID
	Address  string
	Location model.Location
	HasLocation   bool
}

// KnownDestinations lists destinations in whose address the text is found, for pickers.
func (s *Snapshot) KnownDestinations(text string, limit int) []KnownDestination {
	folded := foldText(text)
	seen := map[string]bool{}
	var found []KnownDestination
	for r := range s.Tasks.All() {
		if len(found) == limit {
			break
		}
		if r.Address == "" || !strings.Contains(r.search, folded) || seen[r.Address] ||
			!containsFolded(r.Address, folded) {
			continue
		}
		seen[r.Address] = true
		found = append(found, KnownDestination{r.Destination, r.Address, r.Location, r.HasLocation})
	}
	return found
}
