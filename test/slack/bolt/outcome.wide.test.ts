/** A change that was made is reported as made, even if its answer fails, and an unconfirmed one as unconfirmed. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ShownMessage, ShownView } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { askAccount } from '../connected.js';
import { seesWords, submitForm } from '../operations/filling.js';
import { choose, closeAll, connect, makeRelay, parts, radio, typed } from '../relays/relay-stage.js';
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
    /Edit relay: Saved/,
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
    /New rule: Saved/,
  ],
  [
    'the people with access',
    async () => {
      await ada.say('/scandesk access');
      const view = await ada.seesWindow('Manage access');
      return () =>
        ada.submit(view, { users: { 'access.users': { type: 'multi_users_select', selected_users: ['U0MIA'] } } });
    },
    /Manage access: Access updated/,
  ],
  [
    'the databases of a lookup',
    async () => {
      await ada.say('/scandesk connect');
      await ada.click(await ada.seesWindow('Connection'), 'connect.databases');
      const view = await ada.seesForm('connect.databases');
      return () => ada.submit(view);
    },
    /Choose databases: /,
  ],
];

async function click(action: string) {
  const { one } = await relayWindow();
  return () => ada.click(one, action);
}

describe('while Slack draws no window', () => {
  it.each(writes)(
    'a result whose window Slack fails to update is sent as a message of success, not of failure: %s',
    async (_, ready, says) => {
      const act = await ready();
      await testApp.rules({ faults: broken('views.update') });
      await act();
      const words = await hears(says);
      expect(words).not.toMatch(again);
      const all = (await told()).map(({ blocks }) => read(blocks)).join('\n');
      expect(all).not.toMatch(again);
    },
  );
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

  it('an answer whose response_url hangs is sent another way after 3 seconds', async () => {
    await testApp.rules({ faults: broken('response_url', { as: 'timeout' }) });
    const from = Date.now();
    await ada.say('/scandesk limits');
    await hears(/calls? .*left/i);
    const took = Date.now() - from;
    expect(took).toBeGreaterThan(2_500);
    expect(took).toBeLessThan(7_500);
  });

  it('a mute is announced in its channel within 7.5 seconds though the response_url hangs', async () => {
    await testApp.rules({ faults: broken('response_url', { as: 'timeout' }) });
    const from = Date.now();
    await ada.say('/scandesk mute HANGS-1');
    await announced();
    expect(Date.now() - from).toBeLessThan(7_500);
  });
});
