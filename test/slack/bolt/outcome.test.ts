/** A change that was made is reported as made, even if its answer fails, and an unconfirmed one as unconfirmed. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ShownMessage, ShownView } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { askAccount } from '../connected.js';
import { seesWords, submitForm } from '../operations/filling.js';
import { choose, closeAll, connect, makeRelay, parts, radio, reads, scan, typed } from '../relays/relay-stage.js';
import { eventually, optionNamed, type Person, startTestApp, type TestApp } from '../test-app.js';

const again = /nothing is lost|try again/i;

let testApp: TestApp;
let ada: Person;
/** The messages from before the test. */
let seen: ReadonlySet<string>;

beforeAll(async () => {
  testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' } });
  ada = testApp.person('U0ADA');
  await connect(ada);
});
afterAll(() => testApp?.stop());
afterEach(async () => {
  await testApp.rules({ faults: [] });
  await testApp.accountFaults({ next: [] });
  await closeAll(ada);
});

const keyOf = ({ channel, ts }: ShownMessage) => `${channel} ${ts}`;
const everywhere = async (): Promise<readonly ShownMessage[]> => [
  ...(await ada.messages('C0GENERAL')),
  ...(await ada.directMessages()),
];

beforeEach(async () => {
  seen = new Set((await everywhere()).map(keyOf));
});

const told = async () => (await everywhere()).filter((message) => !seen.has(keyOf(message)));

/** The new message with the words, in the channel or among the direct messages. */
const hears = (words: RegExp): Promise<string> =>
  eventually(async () => {
    const found = (await told()).map(({ blocks, text }) => `${text} ${read(blocks)}`);
    return found.find((each) => words.test(each));
  }, `a message that says ${words}`);

type Fault = Parameters<TestApp['rules']>[0]['faults'] extends readonly (infer One)[] | undefined ? One : never;

const broken = (method: string, how: Partial<Fault> = {}): Fault[] => [{ method, times: 1_000, as: '500', ...how }];

/** `call` opens the form of an operation. */
const form = async (typedText: string, title: string): Promise<ShownView> => {
  await ada.say(`/scandesk call ${typedText}`);
  return ada.seesWindow(title);
};

async function relayWindow(): Promise<{ one: ShownView; id: string; url: string }> {
  const { made, id, url } = await makeRelay(ada);
  await ada.click(made, 'relay.manage');
  return { one: await ada.seesWindow('Relay'), id, url };
}

/** Changes: `ready` opens the form and resolves to the function that makes the change; `says` is the message then. */
const writes: readonly (readonly [what: string, ready: () => Promise<() => Promise<unknown>>, says: RegExp])[] = [
  [
    'an operation from its form',
    async () => {
      const view = await form('databases create', 'Create a database');
      return () => submitForm(ada, view, { database_name: `Made ${Date.now()}` });
    },
    /Created the database .*\(ID \d+\)/,
  ],
  [
    'an operation that was confirmed',
    async () => {
      const xml = await askAccount(testApp, 'databases', 'create', { database_name: `Goes ${Date.now()}` });
      const id = /<id>(\d+)</.exec(xml)?.[1];
      await ada.say(`/scandesk call databases delete database_id=${id}`);
      const view = await seesWords(ada, 'This can’t be undone');
      return () => ada.submit(view);
    },
    /Deleted the database/,
  ],
  [
    'a new relay',
    async () => {
      await ada.say('/scandesk relay');
      await ada.click(await ada.seesWindow('Relays'), 'relay.new');
      const view = await ada.seesWindow('New relay');
      return () =>
        ada.submit(view, {
          'relay.service': {
            'relay.service': { type: 'static_select', ...optionNamed(view.view.blocks, 'Any service') },
          },
        });
    },
    /A webhook URL was created.*New webhook URL/s,
  ],
  [
    'a relay that is changed',
    async () => {
      const { one } = await relayWindow();
      await ada.click(one, 'relay.change');
      const view = await ada.seesWindow('Edit relay');
      return () =>
        ada.submit(view, {
          'relay.notable': {
            'relay.notable': {
              type: 'radio_buttons',
              ...optionNamed(view.view.blocks, 'Only scans that are not valid'),
            },
          },
        });
    },
    /Done: Edit a relay/,
  ],
  ['pausing a relay', async () => click('relay.pause'), /Done: Pause a relay/],
  ['a new webhook URL', async () => click('relay.rotate'), /A webhook URL was created/],
  [
    'removing a relay',
    async () => {
      await ada.click((await relayWindow()).one, 'relay.view.more');
      const view = await seesWords(ada, 'Created by');
      return () => ada.click(view, 'relay.remove');
    },
    /Done: Delete a relay/,
  ],
  [
    'the validation of a relay',
    async () => {
      const { one } = await relayWindow();
      await ada.click(one, 'relay.judging');
      await ada.seesWindow('Validation');
      const view = await choose(ada, 'judging.kind', radio('list'));
      return () => ada.submit(view, parts({ 'judging.values': typed('00123') }));
    },
    /Validation: Saved/,
  ],
  [
    'a question of a relay',
    async () => {
      const { one } = await relayWindow();
      await ada.click(one, 'relay.answers');
      await ada.click(await ada.seesWindow('Responses'), 'relay.question.add');
      const view = await ada.seesWindow('New question');
      return () => ada.submit(view, parts({ 'question.text': typed('How many?') }));
    },
    /New question: Saved/,
  ],
  [
    'a rule',
    async () => {
      const { one } = await relayWindow();
      await ada.click(one, 'relay.rules');
      await ada.click(await ada.seesWindow('Rules and alerts'), 'relay.rule.add');
      const view = await ada.seesWindow('New rule');
      return () => ada.submit(view);
    },
    /Done: Edit rules/,
  ],
  [
    'the people with access',
    async () => {
      await ada.say('/scandesk access');
      const view = await ada.seesWindow('Manage access');
      return () =>
        ada.submit(view, { users: { 'access.users': { type: 'multi_users_select', selected_users: ['U0MIA'] } } });
    },
    /Done: Manage access/,
  ],
  [
    'the databases of a lookup',
    async () => {
      await ada.say('/scandesk connect');
      await ada.click(await ada.seesWindow('Connection'), 'connect.databases');
      const view = await ada.seesForm('connect.databases');
      return () => ada.submit(view);
    },
    /Done: Choose databases/,
  ],
];

async function click(action: string) {
  const { one } = await relayWindow();
  return () => ada.click(one, action);
}

describe('while Slack draws no window', () => {
  it('a result whose window Slack refuses to update for a minute (HTTP 429) is sent without “try again”', async () => {
    const act = await writes[0]![1]();
    await testApp.rules({ faults: broken('views.update', { as: '429', retryAfter: 60 }) });
    await act();
    expect(await hears(writes[0]![2])).not.toMatch(again);
  });

  it.each(['500', 'reset'] as const)(
    'a result is shown in the window when only the first update of the window fails (%s)',
    async (as) => {
      const act = await writes[0]![1]();
      await testApp.rules({ faults: broken('views.update', { as, times: 1 }) });
      await act();
      await seesWords(ada, writes[0]![2]);
      expect(await told()).toEqual([]);
    },
  );

  it('a result is sent once as a message if its window was closed while Slack was slow to update it', async () => {
    const { one } = await relayWindow();
    await testApp.rules({ faults: [{ method: 'views.update', times: 1, as: 'slow', delayMs: 700 }] });
    await ada.click(one, 'relay.pause');
    await closeAll(ada);
    await hears(/Done: Pause a relay/);
    expect(await told()).toHaveLength(1);
  });
});

describe('a response_url', () => {
  const announced = () =>
    eventually(
      async () =>
        (await testApp.person('U0MIA').messages('C0GENERAL')).find(
          (message) => !seen.has(keyOf(message)) && read(message.blocks).includes('muted the barcode'),
        ),
      'the channel to be told',
    );

  it('a mute is announced once in its channel even when the response_url fails', async () => {
    await makeRelay(ada);
    await closeAll(ada);
    seen = new Set((await everywhere()).map(keyOf));
    await testApp.rules({ faults: broken('response_url') });
    await ada.say('/scandesk mute BROKEN-1');
    await announced();
    expect((await told()).map(({ blocks }) => read(blocks)).join('\n')).not.toMatch(again);
    expect(await told()).toHaveLength(1);
  });

  it('the end of a mute is confirmed, without “try again”, even when the response_url fails', async () => {
    const list = await (async () => {
      await ada.say('/scandesk mute ENDS-1');
      await hears(/ENDS-1/);
      return ada.command('/scandesk mute');
    })();
    seen = new Set((await everywhere()).map(keyOf));
    await testApp.rules({ faults: broken('response_url') });
    await ada.clickMessage(list, 'mute.stop');
    expect(await hears(/Unmuted/)).not.toMatch(again);
  });
});

describe('a change that the account does not confirm', () => {
  const made = async (name: string) => (await askAccount(testApp, 'databases', 'retrieve')).includes(`<name>${name}<`);

  it.each(['html', '500', 'truncated', 'empty', 'reset'] as const)(
    'a change is reported as not confirmed, with a way to check, when the account’s answer is: %s',
    async (as) => {
      const name = `Lost ${as}`;
      const view = await form('databases create', 'Create a database');
      await testApp.accountFaults({ next: [{ operation: 'databases/create', times: 1, as }] });
      await submitForm(ada, view, { database_name: name });
      const redrawn = await seesWords(ada, 'Your change may or may not have been saved.');
      expect(await made(name)).toBe(true);
      const words = read(redrawn.view.blocks);
      expect(words).toContain('/scandesk databases');
      expect(words).not.toMatch(again);
    },
  );

  it('a change that the account does not confirm is reported as not confirmed by dialog, command and card', async () => {
    const xml = await askAccount(testApp, 'databases', 'create', { database_name: 'Perhaps' });
    const id = /<id>(\d+)</.exec(xml)?.[1];
    await ada.say(`/scandesk call databases delete database_id=${id}`);
    const view = await seesWords(ada, 'This can’t be undone');
    await testApp.accountFaults({ next: [{ operation: 'databases/delete', times: 1, as: '500' }] });
    await ada.submit(view);
    expect(read((await ada.seesWindow('Change not confirmed')).view.blocks)).not.toMatch(again);
    expect(await made('Perhaps')).toBe(false);
    await closeAll(ada);

    await testApp.accountFaults({ next: [{ operation: 'databases/create', times: 1, as: 'reset' }] });
    await ada.say('/scandesk call databases create database_name=ByCommand');
    expect(await hears(/may or may not have been saved.*\/scandesk databases/s)).not.toMatch(again);

    const card = await ada.command('/barcode HLF-000001');
    await testApp.accountFaults({ next: [{ operation: 'databases/editvalue', times: 1, as: 'html' }] });
    await ada.clickMessage(card, 'lookup.change', optionNamed(card.blocks, 'Mark not valid'));
    expect(await hears(/may or may not have been saved.*\/barcode/s)).not.toMatch(again);
  });

  it('a change that the account does not confirm is recorded in the audit log as not confirmed', async () => {
    await testApp.accountFaults({ next: [{ operation: 'databases/create', times: 1, as: 'html' }] });
    await ada.say('/scandesk call databases create database_name=Recorded');
    await hears(/may or may not have been saved/);
    await ada.say('/scandesk audit');
    const record = await ada.seesWindow('Audit log');
    expect(read(record.view.blocks)).toContain('Not confirmed: ');
  });

  it('a change that the account refused is not reported as possibly saved', async () => {
    const view = await form('databases create', 'Create a database');
    await testApp.accountFaults({ next: [{ operation: 'databases/create', times: 1, as: 'refused', code: '216' }] });
    await submitForm(ada, view, { database_name: 'Refused' });
    const redrawn = await reads(ada, 'name');
    expect(read(redrawn.view.blocks)).not.toContain('may or may not have been saved');
    expect(await made('Refused')).toBe(false);
  });
});

it('a new relay accepts a scan after changes that the account did not confirm', async () => {
  const { url } = await makeRelay(ada);
  expect(await scan(url, { tid: 'AFTER-1' })).toContain('<status>1</status>');
});
