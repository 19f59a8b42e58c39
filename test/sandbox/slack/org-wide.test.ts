import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { harbourHall, northDepot } from '../../../src/sandbox/slack/index.js';
import { botToken, type Json, modal, type Stage, setStage, textInput, triggerOf } from './helpers.js';

describe('a workspace of an organization that installed the app as a whole', () => {
  const organisation = { id: 'E0HARBOUR', name: 'Harbour Group' };
  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage({ organisation, teams: [harbourHall, northDepot] });
  });
  afterAll(() => stage.close());

  const ofTheOrganisation = { team: null, enterprise: organisation, is_enterprise_install: true };

  it('an org-wide app’s command names the organization and the workspace', async () => {
    await triggerOf(stage);
    expect(stage.app.heard.at(-1)!.form).toMatchObject({
      team_id: 'T0SANDBOX1',
      enterprise_id: organisation.id,
      is_enterprise_install: 'true',
    });
  });

  it('an org-wide app’s form names the organization as the installation, and the user’s workspace', async () => {
    const { view } = await stage.api('views.open', {
      team_id: 'T0SANDBOX1',
      trigger_id: await triggerOf(stage),
      view: modal([textInput('a')]),
    });
    await stage.person('submit', {
      as: 'U0ADA',
      view_id: (view as Json).id,
      values: { a: { value: { type: 'plain_text_input', value: 'x' } } },
    });
    expect(stage.app.heard.at(-1)!.payload).toMatchObject({
      type: 'view_submission',
      ...ofTheOrganisation,
      user: { id: 'U0ADA', team_id: 'T0SANDBOX1' },
      view: { app_installed_team_id: organisation.id },
    });
  });

  it('an org-wide app’s event names the workspace, and the organization as the installation', async () => {
    await stage.person('home', { as: 'U0BO' });
    expect(stage.app.heard.at(-1)!.payload).toMatchObject({
      team_id: 'T0SANDBOX2',
      authorizations: [{ enterprise_id: organisation.id, team_id: null, is_enterprise_install: true }],
    });
  });

  it('an org-wide app’s token works in each of its workspaces, and not for the organization itself', async () => {
    const ask = (team_id: string, user: string) => stage.api('users.info', { team_id, user });
    expect(await ask('T0SANDBOX2', 'U0BO')).toMatchObject({
      user: { team_id: 'T0SANDBOX2', enterprise_user: { enterprise_id: organisation.id } },
    });
    expect(await ask('T0SANDBOX1', 'U0BO')).toMatchObject({ error: 'user_not_found' });
    expect(await ask(organisation.id, 'U0ADA')).toMatchObject({ error: 'team_not_found' });
    expect(await stage.api('auth.test', {}, botToken)).toMatchObject({ is_enterprise_install: true });
  });
});
