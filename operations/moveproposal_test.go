package operations

import (
	"testing"

	"github.com/stretchr/testify/require"

	"waybill/model"
)

// A driver from another team is named together with the tasks that are not for the driver's teams.
func TestDriverOfAnotherTeamIsWarnedOf(t *testing.T) {
	st := newFixture(t)
	ada, _ := st.worker("Ada", "+14155550110")
	_, north := st.worker("Badar", "+14155550111")
	_, south := st.worker("Chidi", "+14155550112")
	inTeam := func(team model.ID) model.ID {
		return st.task(func(in *model.TaskInput) { in.Container = model.Some(model.TeamContainer(team)) }).ID
	}
	first, second, third, open := inTeam(north), inTeam(north), inTeam(south), st.task(nil).ID
	for text, tasks := range map[string][]model.ID{
		"The task belongs to team Team of Badar; Ada is not in it.\n":                                 {first},
		"The tasks belong to team Team of Badar; Ada is not in it.\n":                                 {first, second},
		"1 of the 2 tasks belongs to team Team of Badar; Ada is not in it.\n":                         {first, open},
		"2 of the 3 tasks belong to teams Team of Badar and Team of Chidi; Ada is in none of them.\n": {first, third, open},
	} {
		v, err := NewAssign(st.input(tasks...))
		require.NoError(t, err)
		proposal, problems := v.Prepare(map[string]string{fieldDriver: string(ada)})
		require.Empty(t, problems)
		require.Contains(t, lineTexts(proposal.Lines), text)
	}
}
