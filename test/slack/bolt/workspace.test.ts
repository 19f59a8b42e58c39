import type { Context } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { inWorkspace, ownerOf } from '../../../src/slack/bolt/people/workspace.js';

describe('the workspace of a request', () => {
  const client = new WebClient();
  const clients = { clientWith: (token?: string, teamId = '') => new WebClient(token, { teamId }) };
  const asBoltSees = (body: unknown, teamId = 'E0ORG') => ({
    context: { isEnterpriseInstall: true, enterpriseId: 'E0ORG', teamId, workspaceToken: 'xoxb-1' } as Context,
    client,
    body,
  });
  const form = { team: null, user: { id: 'U1', team_id: 'T1' }, view: { app_installed_team_id: 'E0ORG' } };

  test.each([
    ['the user of a form names', form],
    ['the team of a form names', { ...form, team: { id: 'T1' }, user: { id: 'U1', team_id: 'T2' } }],
    ['the view alone of a form names', { ...form, user: { id: 'U1', team_id: 'E0ORG' }, view: { team_id: 'T1' } }],
    ['an event names', { team_id: 'T1', authorizations: [] }],
    ['the context of an event names', { team_id: 'E0ORG', context_team_id: 'T1' }],
    ['an opened App Home names', { team_id: 'E0ORG', event: { type: 'app_home_opened', view: { team_id: 'T1' } } }],
  ])('a request is handled for the workspace that %s, both in the store and in calls to Slack', (_, body) => {
    const found = inWorkspace(asBoltSees(body), clients);
    expect(ownerOf(found.context)).toEqual({ installation: 'E0ORG', team: 'T1' });
    expect(found.client).toMatchObject({ teamId: 'T1', token: 'xoxb-1' });
  });

  test('a request whose workspace Bolt found is handled for that workspace, whatever its body names', () => {
    const found = inWorkspace(asBoltSees(form, 'T9'), clients);
    expect(ownerOf(found.context)).toEqual({ installation: 'E0ORG', team: 'T9' });
    expect(found.client).toMatchObject({ teamId: 'T9', token: 'xoxb-1' });
  });

  test('a request that names the organization and no workspace is refused as not installed', () => {
    const { context } = inWorkspace(asBoltSees({ team_id: 'E0ORG', user: 'U1' }), clients);
    expect(() => ownerOf(context)).toThrow(expect.objectContaining({ code: 'slack.not_installed' }));
  });
});
