/** Answers where nothing failed (no account, no permission, no calls left), and where Slack or the account failed. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { connect } from '../connected.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const gone = { ms: 0 };
const clock: Clock = { now: () => Date.now() + gone.ms, sleep: systemClock.sleep };

describe('an expected refusal', () => {
  const lines: string[] = [];
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  beforeAll(async () => {
    testApp = await startTestApp({ clock, lines });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
  });
  afterAll(() => testApp?.stop());

  /** The answer, and the lines that it adds to the log at the level of information or above. */
  async function told(ask: () => Promise<ShownMessage>): Promise<{ answer: ShownMessage; logged: string[] }> {
    const before = lines.length;
    const answer = await ask();
    const logged = lines.slice(before).filter((line) => (JSON.parse(line) as { level: number }).level >= 30);
    return { answer, logged };
  }

  function expectCalm({ answer, logged }: { answer: ShownMessage; logged: string[] }, code: string): void {
    expect(read(answer.blocks)).not.toMatch(/reference/i);
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0]!)).toMatchObject({ level: 30, code });
    expect(logged[0]).not.toContain('stack');
  }

  const again = async (answer: ShownMessage, person: Person, channel = 'C0GENERAL'): Promise<ShownMessage> => {
    expect(await person.clickMessage(answer, 'lookup.again')).toMatchObject({ ok: true });
    return eventually(
      async () => (await person.messages(channel)).find((message) => message.ts > answer.ts || message.edited),
      'an answer to Try again',
    );
  };

  it('a lookup without a connected account names who can connect one, and is repeated later by one click', async () => {
    const first = await told(() => mia.command('/barcode HLF-000001'));
    expectCalm(first, 'slack.not_connected');
    expect(read(first.answer.blocks)).toMatch(/Ask a workspace admin \(.*\) to connect one/);
    expect(JSON.stringify(first.answer.blocks)).toContain('"user_id":"U0ADA"');
    expect(read(first.answer.blocks)).toContain('Barcode: HLF-000001');
    await connect(ada);
    expect(read((await again(first.answer, mia)).blocks)).toContain('HLF-000001');
    expect(read((await mia.messages()).at(-1)?.blocks)).toContain('Already used at Gate A');
  });

  it('a guest’s refused lookup says to ask a full member, and repeats the barcode', async () => {
    const gus = testApp.person('U0GUS');
    const refused = await told(() => gus.command('/barcode HLF-000001', 'C0FRONTGATE'));
    expectCalm(refused, 'slack.not_allowed');
    expect(read(refused.answer.blocks)).toContain('Ask a full member');
    expect(read(refused.answer.blocks)).toContain('Barcode: HLF-000001');
  });

  it('a member without permission is told who has access', async () => {
    const store = await testApp.openStore();
    const owner = { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' };
    await store.workspaces.change(owner, { managers: { users: ['U0BEA'], groups: [] } });
    await store.close();
    const refused = await told(() => mia.command('/scandesk connect'));
    expectCalm(refused, 'slack.not_allowed');
    expect(read(refused.answer.blocks)).toMatch(/Ask a workspace admin \(.*\) or/);
    expect(JSON.stringify(refused.answer.blocks)).toContain('"user_id":"U0BEA"');
    const admins = await told(() => mia.command('/scandesk access'));
    expect(read(admins.answer.blocks)).toMatch(
      /Only workspace admins and owners can do this\.\s*Ask a workspace admin \(/,
    );
    expect(JSON.stringify(admins.answer.blocks)).toContain('"user_id":"U0ADA"');
  });

  it('a lookup without API calls left names the reset, the barcode, and who connected the account', async () => {
    await testApp.accountFaults({ day_left: 0 });
    await mia.command('/barcode HLF-000002');
    const refused = await told(() => mia.command('/barcode HLF-000002'));
    expectCalm(refused, 'account.quota');
    const text = read(refused.answer.blocks);
    expect(text).toContain('has no API calls left');
    expect(text).toContain('The limit resets');
    expect(text).toContain('who connected the account');
    expect(JSON.stringify(refused.answer.blocks)).toContain('"user_id":"U0ADA"');
    expect(text).toContain('Barcode: HLF-000002');
  });

  it('/scandesk limits shows the last known figures when no API calls are left', async () => {
    const { answer } = await told(() => mia.command('/scandesk limits'));
    const text = read(answer.blocks);
    expect(text).toMatch(/Today: 0 of [\d,]+; resets/);
    expect(text).toContain('No API calls are left');
    await testApp.accountFaults({ day_left: 1000 });
  });
});

describe('a failure of Slack or of the account', () => {
  let testApp: TestApp;
  let ada: Person;
  beforeAll(async () => {
    testApp = await startTestApp({ clock });
    ada = testApp.person('U0ADA');
    await connect(ada);
  });
  afterAll(() => testApp?.stop());
  afterEach(async () => {
    await testApp.rules({ faults: [] });
    await testApp.accountFaults({ next: [] });
  });

  const refused = (error: string, needed?: string) => ({
    as: 'refused' as const,
    error,
    ...(needed ? { needed } : {}),
  });

  it.each([
    ['a revoked token', refused('token_revoked'), 'access to this workspace was revoked', 'install Scandesk again'],
    ['a deactivated app', refused('account_inactive'), 'was deactivated in this workspace', 'install Scandesk again'],
    [
      'a missing scope',
      refused('missing_scope', 'users:read'),
      'is missing the permission users:read',
      'install Scandesk again and allow it',
    ],
    ['Slack’s error fatal_error', refused('fatal_error'), 'Slack is having trouble', 'Try again in a minute'],
    ['Slack’s error internal_error', refused('internal_error'), 'Slack is having trouble', 'Try again in a minute'],
    ['HTTP 503 from Slack', { as: '503' as const }, 'Slack is having trouble', 'Try again in a minute'],
  ])(
    'a person whom Scandesk cannot identify because of %s is told the cause and the next step',
    async (_name, fault, cause, move) => {
      gone.ms += 61_000;
      await testApp.rules({ faults: [{ method: 'users.info', times: 50, ...fault }] });
      const text = read((await ada.command('/scandesk status')).blocks);
      expect(text).toContain(cause);
      expect(text).toContain(move);
      expect(text).toContain('nothing was done');
      expect(text).toMatch(/Reference \w{8}/);
    },
  );

  it('a lookup whose scans the account answers with HTTP 500 says that the account is having trouble', async () => {
    gone.ms += 61_000;
    await testApp.accountFaults({ next: [{ operation: 'scans/retrieve', times: 5, as: '500' }] });
    const text = read((await ada.command('/barcode HLF-000003')).blocks);
    expect(text).toContain('the scanning account is having trouble right now. Its server returned an error.');
    expect(text).not.toMatch(/can’t be read|reference/i);
  });
});
