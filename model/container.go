package model

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ContainerType is the kind of a container's owner.
type ContainerType string

// Container types.
const (
	ContainerOrganization ContainerType = "ORGANIZATION"
	ContainerTeam         ContainerType = "TEAM"
	ContainerWorker       ContainerType = "WORKER"
)

// ContainerRef points at a container by its owner.
type ContainerRef struct {
	Type         ContainerType `json:"type"`
	Organization Opt[ID]       `json:"organization,omitzero"`
	Team         Opt[ID]       `json:"team,omitzero"`
	Worker       Opt[ID]       `json:"worker,omitzero"`
	Extra        Extra         `json:",embed"`
}

// OrganizationContainer is the default container of an organization.
func OrganizationContainer(id ID) ContainerRef {
	return ContainerRef{Type: ContainerOrganization, Organization: Some(id)}
}

// TeamContainer is a team's list of unassigned tasks.
func TeamContainer(id ID) ContainerRef { return ContainerRef{Type: ContainerTeam, Team: Some(id)} }

// WorkerContainer is a worker's route.
func WorkerContainer(id ID) ContainerRef {
	return ContainerRef{Type: ContainerWorker, Worker: Some(id)}
}

// Owner returns the id of the organization, team or worker.
func (c ContainerRef) Owner() ID {
	switch c.Type {
	case ContainerTeam:
		return c.Team.Value()
	case ContainerWorker:
		return c.Worker.Value()
	default:
		return c.Organization.Value()
	}
}

// Container is an ordered list of tasks.
type Container struct {
	ID               ID            `json:"id"`
	TimeCreated      Millis        `json:"timeCreated"`
	TimeLastModified Millis        `json:"timeLastModified"`
	Organization     ID            `json:"organization"`
	Type             ContainerType `json:"type"`
	ActiveTask       Opt[ID]       `json:"activeTask,omitzero"`
	Tasks            []ID          `json:"tasks"`
	Worker           Opt[ID]       `json:"worker,omitzero"`
	Team             Opt[ID]       `json:"team,omitzero"`
	Extra            Extra         `json:",embed"`
}

// ContainerUpdate replaces a container's tasks, or inserts some when its first element is a number.
type ContainerUpdate struct {
	Tasks                ContainerTasks `json:"tasks"`
	ConsiderDependencies Opt[bool]      `json:"considerDependencies,omitzero"`
	Extra                Extra          `json:",embed"`
}

// Positions at which tasks are inserted into a container.
const (
	AppendTasks  = -1
	PrependTasks = 0
)

// ContainerTasks is the list of a container update: `[index, id…]` inserts, `[id…]` replaces.
type ContainerTasks struct {
	Index Opt[Int]
	IDs   []ID
}

// MarshalJSONTo implements the codec's interface.
func (t ContainerTasks) MarshalJSONTo(enc *jsontext.Encoder) error {
	list := make([]any, 0, len(t.IDs)+1)
	if index, ok := t.Index.Get(); ok {
		list = append(list, index)
	}
	for _, id := range t.IDs {
		list = append(list, id)
	}
	return json.MarshalEncode(enc, list)
}

// UnmarshalJSONFrom implements the codec's interface.
func (t *ContainerTasks) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var list []Raw
	if err := json.UnmarshalDecode(dec, &list); err != nil {
		return err
	}
	*t = ContainerTasks{IDs: make([]ID, 0, len(list))}
	for i, value := range list {
		if i == 0 && value.Kind() == jsontext.KindNumber {
			var index Int
			if err := json.Unmarshal(value, &index); err != nil {
				return err
			}
			t.Index = Some(index)
			continue
		}
		var id ID
		if err := json.Unmarshal(value, &id); err != nil {
			return err
		}
		t.IDs = append(t.IDs, id)
	}
	return nil
}

// AssignedTasks is the outcome of automatic assignment: by task where the service says so, else a list of tasks.
type AssignedTasks struct {
	ByTask map[ID]ID
	List   []ID
}

// MarshalJSONTo implements the codec's interface.
func (t AssignedTasks) MarshalJSONTo(enc *jsontext.Encoder) error {
	if t.ByTask == nil && t.List != nil {
		return json.MarshalEncode(enc, t.List)
	}
	return json.MarshalEncode(enc, t.ByTask)
}

// UnmarshalJSONFrom implements the codec's interface.
func (t *AssignedTasks) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*t = AssignedTasks{}
	if dec.PeekKind() == jsontext.KindBeginArray {
		return json.UnmarshalDecode(dec, &t.List)
	}
	return json.UnmarshalDecode(dec, &t.ByTask)
}
