import type { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import type { ShownView } from '../../../src/sandbox/slack/api.js';
import { adminsOf } from '../../../src/slack/bolt/people/admins.js';
import { createPermissions } from '../../../src/slack/bolt/people/permissions.js';
import { read } from '../block-kit/reading.js';
import { accountKey, eventually, openInbox, type Person, startTestApp, type TestApp } from '../test-app.js';

describe('roles and access', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  beforeAll(async () => {
    testApp = await startTestApp();
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await ada.say('/scandesk connect');
    await ada.submit(await ada.seesWindow('Connect account'), {
      key: { 'connect.key': { type: 'plain_text_input', value: accountKey } },
    });
    await ada.close(await ada.seesForm('connect.databases'));
  });
  afterAll(() => testApp.stop());

  const access = (users: readonly string[], groups: readonly string[]) => ({
    users: { 'access.users': { type: 'multi_users_select', selected_users: users } },
    groups: {
      'access.groups': {
        type: 'multi_external_select',
        selected_options: groups.map((value) => ({ text: { type: 'plain_text', text: value }, value })),
      },
    },
  });

  async function name(users: readonly string[], groups: readonly string[]): Promise<void> {
    await ada.say('/scandesk access');
    const form = await ada.seesWindow('Manage access');
    await ada.options(form, 'access.groups', '');
    const answer = await ada.submit(form, access(users, groups));
    expect(answer).toMatchObject({ ok: true });
    await ada.close(await ada.seesWindow('Manage access'));
  }

  test.each(['/scandesk connect', '/scandesk disconnect'])(
    'a member without access may not run %s, and is told who may',
    async (typed) => {
      const answer = await mia.command(typed);
      expect(read(answer.blocks)).toContain('Only workspace admins and people with access can do this.');
      expect(answer.ephemeral_for).toBe('U0MIA');
      expect(await mia.window()).toBeUndefined();
    },
  );

  test('a member may not give access to others', async () => {
    expect(read((await mia.command('/scandesk access')).blocks)).toContain(
      'Only workspace admins and owners can do this.',
    );
  });

  test('a member without access may run /scandesk status', async () => {
    expect(read((await mia.command('/scandesk status')).blocks)).toContain('Connected by');
  });

  test.each(['/scandesk status', '/scandesk help', '/barcode 00123'])(
    'a guest who types the command %s is refused',
    async (typed) => {
      const answer = await testApp.person('U0GUS').command(typed, 'C0FRONTGATE');
      expect(read(answer.blocks)).toContain('Guests can’t use Scandesk.');
      expect(answer.ephemeral_for).toBe('U0GUS');
    },
  );

  test('a person of another workspace who clicks a button in a shared channel is refused', async () => {
    const inbox = await openInbox();
    const click = {
      type: 'block_actions',
      team: { id: 'T0SANDBOX1', domain: 'harbour-hall' },
      user: { id: 'U0EVE', team_id: 'T0PARTNER1' },
      channel: { id: 'C0PARTNER', name: 'partner-venue' },
      container: { type: 'message', message_ts: '1.2', channel_id: 'C0PARTNER' },
      trigger_id: '1.2.3',
      response_url: inbox.url,
      actions: [{ type: 'button', action_id: 'connect.open', block_id: 'b', action_ts: '1.2' }],
    };
    await testApp.signed(new URLSearchParams({ payload: JSON.stringify(click) }).toString());
    expect(read((await inbox.first()).blocks)).toContain('belongs to another workspace');
    await inbox.close();
  });

  test('a person with access may open the connection until access is revoked, but not give access', async () => {
    await name(['U0MIA'], []);
    await mia.say('/scandesk connect');
    await mia.close(await mia.seesWindow('Connection'));
    expect(read((await mia.command('/scandesk access')).blocks)).toContain('admins and owners');
    await name([], []);
    expect(read((await mia.command('/scandesk connect')).blocks)).toContain(
      'Only workspace admins and people with access',
    );
  });

  test('a user group with access gives its members access, except for guests', async () => {
    await name([], ['S0GATE']);
    await mia.say('/scandesk connect');
    await mia.close(await mia.seesWindow('Connection'));
    const guest = await testApp.person('U0GUS').command('/scandesk connect', 'C0FRONTGATE');
    expect(read(guest.blocks)).toContain('Guests can’t');
    await ada.say('/scandesk access');
    const form = await ada.seesWindow('Manage access');
    expect(JSON.stringify(form.view)).toContain('Gate crew (@gate-crew)');
    await ada.close(form);
    await name([], []);
  });

  test('guests, apps and strangers cannot get access, and the form says who they are', async () => {
    await name([], []);
    await ada.say('/scandesk access');
    const form = await ada.seesWindow('Manage access');
    await ada.submit(form, access(['U0MIA', 'U0GUS', 'U0EVE', 'U0SCANDESK1'], []));
    const again = await drawnAgain(ada);
    expectUnfit(again, { U0GUS: 'is a guest', U0EVE: 'isn’t a member of this workspace', U0SCANDESK1: 'is an app' });
    // The entered people stay in the form, so that the unfit ones can be removed and the others saved.
    expect(JSON.stringify(again.view.blocks)).toContain('"initial_users":["U0MIA","U0GUS","U0EVE","U0SCANDESK1"]');
    expect(read((await mia.command('/scandesk connect')).blocks)).toContain(
      'Only workspace admins and people with access',
    );
    await ada.submit(again, access(['U0MIA'], []));
    await ada.close(await ada.seesWindow('Manage access'));
    await mia.say('/scandesk connect');
    await mia.close(await mia.seesWindow('Connection'));
    await name([], []);
  });

  test.each([
    ['an app', 'bot', { is_bot: true }],
    ['a deactivated person', 'deactivated', { deleted: true }],
    ['a guest', 'guest', { is_restricted: true }],
  ])('a command by %s is refused with the reason %s', async (_who, why, user) => {
    const answer = { ok: true, user: { id: 'U1', team_id: 'T1', ...user } };
    const client = { users: { info: () => Promise.resolve(answer) } } as unknown as WebClient;
    const store = await testApp.openStore();
    try {
      const permissions = createPermissions({ clock: systemClock, log: silentLog, store });
      const actor = { owner: { installation: 'T1', team: 'T1' }, userId: 'U1' };
      await expect(permissions.require(client, actor, 'everyone')).rejects.toMatchObject({ why });
    } finally {
      await store.close();
    }
  });

  const organization = { installation: 'E1', team: 'T1' };
  const inBoth = { enterprise_user: { enterprise_id: 'E1', teams: ['T1', 'T2'] } };
  test.each([
    ['an admin of the workspace is', organization, { team_id: 'T1', is_admin: true, ...inBoth }, true],
    ['an owner of another workspace is not', organization, { team_id: 'T2', is_owner: true, ...inBoth }, false],
    ['a person whose workspace Slack does not name is not', organization, { is_admin: true, ...inBoth }, false],
    ['outside an organization, an admin is', { installation: 'T1', team: 'T1' }, { is_admin: true }, true],
  ])('an app installed for an organization knows the admins of each workspace: %s an admin', async (...row) => {
    const [, owner, user, isAdmin] = row;
    const member = { id: 'U1', ...user };
    const client = {
      users: { info: async () => ({ ok: true, user: member }), list: async () => ({ ok: true, members: [member] }) },
    } as unknown as WebClient;
    const store = await testApp.openStore();
    try {
      const permissions = createPermissions({ clock: systemClock, log: silentLog, store });
      expect(await permissions.can(client, { owner, userId: 'U1' }, 'everyone')).toBe(true);
      expect(await permissions.can(client, { owner, userId: 'U1' }, 'manager')).toBe(isAdmin);
      expect(await adminsOf(client, owner)).toEqual(isAdmin ? ['U1'] : []);
    } finally {
      await store.close();
    }
  });

  test('the access form says whether Slack did not list user groups or the workspace has no user groups', async () => {
    await name([], ['S0GATE']);
    for (const as of ['500', 'reset', 'html'] as const) {
      await testApp.rules({ faults: [{ method: 'usergroups.list', as, times: 1 }] });
      await ada.say('/scandesk access');
      const form = await ada.seesWindow('Manage access');
      expect(read(form.view.blocks)).toContain('Slack didn’t list the user groups.');
      expect(read(form.view.blocks)).not.toContain('has no user groups');
      await ada.close(form);
    }
    const paid = { method: 'usergroups.list', as: 'refused', error: 'paid_teams_only', times: 1 } as const;
    await testApp.rules({ faults: [paid] });
    await ada.say('/scandesk access');
    const form = await ada.seesWindow('Manage access');
    expect(read(form.view.blocks)).toContain('This workspace has no user groups.');
    await ada.close(form);
    await name([], []);
  });

  test('a deactivated person cannot get access, and the form says why', async () => {
    const other = await startTestApp();
    try {
      const boss = other.person('U0ADA');
      await other.post('/sandbox/deactivate', { as: 'U0ADA', user: 'U0MIA' });
      await boss.say('/scandesk access');
      await boss.submit(await boss.seesWindow('Manage access'), access(['U0MIA'], []));
      expectUnfit(await drawnAgain(boss), { U0MIA: 'is deactivated' });
    } finally {
      await other.stop();
    }
  });

  const drawnAgain = (person: Person) =>
    eventually(async () => {
      const view = await person.window();
      return view && read(view.view.blocks).includes('Not saved') ? view : undefined;
    }, 'the form drawn again');

  function expectUnfit(form: ShownView, unfit: Readonly<Record<string, string>>): void {
    for (const [id, words] of Object.entries(unfit)) {
      expect(JSON.stringify(form.view.blocks)).toContain(
        `{"type":"user","user_id":"${id}"},{"type":"text","text":" ${words}."}`,
      );
    }
  }

  test('the picker of user groups finds a group by a part of its name, in any case', async () => {
    await ada.say('/scandesk access');
    const form = await ada.seesWindow('Manage access');
    const found = (await ada.options(form, 'access.groups', 'KEEP')).options;
    expect(found.map((option) => option.text.text)).toEqual(['Stock keepers (@stock)']);
    await ada.close(form);
  });

  test('a person whom Slack cannot identify is refused with an explanation', async () => {
    const other = await startTestApp();
    try {
      await other.rules({ faults: [{ method: 'users.info', times: 1, as: '500' }] });
      const answer = await other.person('U0ADA').command('/scandesk status');
      expect(read(answer.blocks)).toContain('Slack is having trouble right now.');
      expect(read(answer.blocks)).toContain('couldn’t verify who you are, so nothing was done.');
      expect(read((await other.person('U0ADA').command('/scandesk status')).blocks)).toContain('No scanning account');
    } finally {
      await other.stop();
    }
  });

  test('changes of access and connection are in the audit log, with person and place, without the API key', async () => {
    const store = await testApp.openStore();
    const rows = await store.audit.list({ installation: 'T0SANDBOX1', team: 'T0SANDBOX1' }, { limit: 50 });
    await store.close();
    expect(rows.map((row) => row.what)).toContain('workspace/access');
    expect(rows.at(-1)).toMatchObject({ what: 'workspace/connect', who: 'U0ADA', where: 'C0GENERAL', outcome: 'ok' });
    expect(JSON.stringify(rows)).not.toContain(accountKey);
  });
});
