package apiclient

import (
	"context"
	"strings"

	"waybill/model"
)

// Container returns the ordered tasks of an organization, a team or a worker.
func (c *Client) Container(ctx context.Context, of model.ContainerRef) (model.Container, error) {
	return fetch[model.Container](ctx, c, get("containers", containerKind(of), string(of.Owner())))
}

// UpdateContainer replaces the tasks of a worker's container, or inserts tasks into any container.
func (c *Client) UpdateContainer(ctx context.Context, of model.ContainerRef, u model.ContainerUpdate) (model.Container, error) {
	return fetch[model.Container](ctx, c, put(u, "containers", containerKind(of), string(of.Owner())))
}

// containerKind returns the type as it is in paths: lower case and plural. An unknown type is empty, which
// prepareRequest rejects.
func containerKind(of model.ContainerRef) string {
	switch of.Type {
	case model.ContainerOrganization, model.ContainerTeam, model.ContainerWorker:
		return strings.ToLower(string(of.Type)) + "s"
	}
	return ""
}
