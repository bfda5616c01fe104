package world

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"waybill/model"
	"waybill/service/store"
)

// positionGap is the distance between neighbours in a container, so that a task can be inserted without changing the
// others. It allows about twenty insertions at one place before the container is renumbered.
const positionGap = 1 << 20

// addToContainer counts n tasks into a container and returns the last of n new positions at its end.
func addToContainer(ctx context.Context, tx *store.Tx, ref model.ContainerRef, n int, now model.Millis) (int64, error) {
	var size, last int64
	err := tx.QueryRow(ctx, `INSERT INTO containers (owner, kind, size, last, created, modified) VALUES ($1, $2, $3, $4, $5, $5)
		ON CONFLICT (owner) DO UPDATE SET size = containers.size + $3, last = containers.last + $4, modified = $5
		RETURNING size, last`,
		ref.Owner(), string(ref.Type), n, int64(max(n, 1))*positionGap, int64(now)).Scan(&size, &last)
	if err != nil {
		return 0, fmt.Errorf("enter container: %w", err)
	}
	if n > 0 {
		if err := model.CheckContainerSize(int(size)).Err(); err != nil {
			return 0, err
		}
	}
	return last, nil
}

// addOneToContainer counts one task into a container, whose last position is then the task's. Most containers exist and
// have room, so usually nothing is read.
func addOneToContainer(ctx context.Context, tx *store.Tx, ref model.ContainerRef, now model.Millis) error {
	if tx.Write(ctx, "enter container", `UPDATE containers SET size = size + 1, last = last + $2, modified = $3
		WHERE owner = $1 AND size < $4`, ref.Owner(), positionGap, int64(now), model.MaxContainerTasks) == 1 {
		return nil
	}
	_, err := addToContainer(ctx, tx, ref, 1, now)
	return err
}

func removeFromContainer(ctx context.Context, tx *store.Tx, owner model.ID, now model.Millis) {
	tx.Write(ctx, "leave container", "UPDATE containers SET size = size - 1, modified = $2 WHERE owner = $1", owner, int64(now))
}

// containerID returns the id of a container: its owner's id reversed, so that either can be computed from the other.
func containerID(owner model.ID) model.ID {
	reversed := []byte(owner)
	slices.Reverse(reversed)
	return model.ID(reversed)
}

// containerOwner is the organization, team or worker that owns a container.
type containerOwner struct {
	ref     model.ContainerRef
	org     model.ID
	created model.Millis
	active  model.ID // a worker's started task
}

// findContainerOwner reads the owner of a container that org may change.
func findContainerOwner(ctx context.Context, q store.Querier, org model.ID, ref model.ContainerRef) (containerOwner, error) {
	owner := containerOwner{ref: ref}
	var active sql.NullString
	var err error
	switch ref.Type {
	case model.ContainerWorker:
		err = q.QueryRow(ctx, "SELECT org, created, active_task FROM workers WHERE id = $1", ref.Owner()).
			Scan(&owner.org, &owner.created, &active)
	case model.ContainerTeam:
		err = q.QueryRow(ctx, "SELECT org, created FROM teams WHERE id = $1", ref.Owner()).Scan(&owner.org, &owner.created)
	default:
		err = q.QueryRow(ctx, "SELECT id, created FROM organizations WHERE id = $1", ref.Owner()).Scan(&owner.org, &owner.created)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return owner, NotFound()
	}
	if err != nil {
		return owner, fmt.Errorf("find container: %w", err)
	}
	owner.active = model.ID(active.String)
	if owner.org != org {
		return owner, OtherOrganization()
	}
	return owner, nil
}

// resolveContainer checks the container that a body names for a task that executor fulfils. The container of the
// organization needs no id.
func resolveContainer(ctx context.Context, q store.Querier, org, executor model.ID, ref model.ContainerRef) (model.ContainerRef, error) {
	if ref.Type == model.ContainerOrganization {
		owner := ref.Organization.Or(org)
		if owner != org && owner != executor {
			return ref, OtherOrganization()
		}
		return model.OrganizationContainer(owner), nil
	}
	found, err := findContainerOwner(ctx, q, org, ref)
	if errors.Is(err, NotFound()) {
		return ref, Invalid("Invalid container identifier.")
	}
	if err != nil {
		return ref, err
	}
	if found.org != executor {
		return ref, Invalid("Invalid container identifier. Another organization fulfils the task.")
	}
	return containerRef(ref.Type, ref.Owner()), nil
}

// Container reads a container with its tasks in order.
func (w *World) Container(ctx context.Context, org model.ID, ref model.ContainerRef) (model.Container, error) {
	return readTx(ctx, w.store, func(tx *store.Tx) (model.Container, error) {
		owner, err := findContainerOwner(ctx, tx, org, ref)
		if err != nil {
			return model.Container{}, err
		}
		return readContainer(ctx, tx, owner)
	})
}

func readContainer(ctx context.Context, tx *store.Tx, owner containerOwner) (model.Container, error) {
	ref := owner.ref
	container := model.Container{
		ID: containerID(ref.Owner()), TimeCreated: owner.created.WholeSecond(), TimeLastModified: owner.created,
		Organization: owner.org, Type: ref.Type, ActiveTask: model.NullIfZero(owner.active), Team: ref.Team, Worker: ref.Worker,
	}
	err := scanRow(tx.QueryRow(ctx, "SELECT modified FROM containers WHERE owner = $1", ref.Owner()), &container.TimeLastModified)
	if errors.Is(err, NotFound()) {
		err = nil // the container has never had tasks
	}
	container.Tasks = readContainerTasks(ctx, tx, ref.Owner())
	return container, err
}

// readContainerTasks lists the tasks of a container in order.
func readContainerTasks(ctx context.Context, tx *store.Tx, owner model.ID) []model.ID {
	return readIDs(ctx, tx, selectContainerTasks, owner)
}

const selectContainerTasks = "SELECT id FROM tasks WHERE container_owner = $1 AND state < 2 ORDER BY position"
