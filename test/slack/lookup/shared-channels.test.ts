/** Channels that another organization reads: the question before sharing there, and the answers to its people. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { closeAll, connect, makeRelay, reads, scan, ticked } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const hasAction = (message: ShownMessage, action: string) => JSON.stringify(message.blocks).includes(`"${action}"`);

/** The message once `has` is true of it. */
const shows = (person: Person, { channel, ts }: ShownMessage, has: (message: ShownMessage) => boolean) =>
  eventually(async () => {
    const now = (await person.messages(channel)).find((message) => message.ts === ts);
    return now && has(now) ? now : undefined;
  }, 'the changed message');

describe('sharing', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  beforeAll(async () => {
    testApp = await startTestApp();
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await connect(ada);
  });
  afterAll(() => testApp?.stop());

  it.each([
    ['a card', '/barcode HLF-000001', 'lookup.share'],
    ['a drawn barcode', '/barcode make HLF-000001', 'made.share'],
  ])(
    'sharing %s asks for confirmation first where another organization can read the channel',
    async (_name, typed, action) => {
      const before = new Set((await ada.messages('C0PARTNER')).map(({ ts }) => ts));
      const posted = async () => (await ada.messages('C0PARTNER')).filter(({ ts }) => !before.has(ts));
      // A barcode that takes longer to draw is announced first.
      const own = await mia.firstAnswer(typed, 'C0PARTNER', (message) => hasAction(message, action));
      await mia.clickMessage(own, action);
      const asking = await shows(mia, own, (message) => hasAction(message, `${action}.agreed`));
      expect(read(asking.blocks)).toContain('shared with another organization. People there will see this too.');
      expect(hasAction(asking, action)).toBe(false);
      expect(await posted()).toEqual([]);
      await mia.clickMessage(asking, `${action}.agreed`);
      await shows(mia, own, (message) => read(message.blocks).includes('You shared this here.'));
      expect(await posted()).toHaveLength(1);
    },
  );

  it('sharing asks for confirmation first where Scandesk cannot see who reads a channel', async () => {
    const own = await ada.command('/barcode HLF-000001', 'C0MANAGERS');
    await ada.clickMessage(own, 'lookup.share');
    const asking = await shows(ada, own, (message) => hasAction(message, 'lookup.share.agreed'));
    expect(read(asking.blocks)).toContain('Scandesk is not in this conversation');
    await ada.clickMessage(asking, 'lookup.share.agreed');
    await shows(ada, own, (message) => read(message.blocks).includes('You shared this here.'));
  });

  it('sharing posts at once in a channel that only people of the workspace read', async () => {
    const own = await mia.command('/barcode HLF-000001', 'C0STOCKROOM');
    await mia.clickMessage(own, 'lookup.share');
    await shows(mia, own, (message) => read(message.blocks).includes('You shared this here.'));
  });
});

describe.each([
  ['one workspace', {}],
  ['an org-wide installation', { organisation: { id: 'E0HARBOUR', name: 'Harbour Group' } }],
])('somebody of another workspace, with Scandesk in %s', (_name, options) => {
  let testApp: TestApp;
  let eve: Person;
  let post: ShownMessage;
  beforeAll(async () => {
    testApp = await startTestApp({ settings: { POST_INTERVAL_MS: '0' }, ...options });
    const ada = testApp.person('U0ADA');
    eve = testApp.person('U0EVE');
    await connect(ada);
    await ada.say('/scandesk relay');
    await ada.click(await ada.seesWindow('Relays'), 'relay.new');
    const { url } = await sharedRelay(ada);
    await scan(url, { tid: 'HLF-000001' });
    post = await eventually(
      async () => (await eve.messages('C0PARTNER')).find((message) => hasAction(message, 'post.lookup')),
      'the post',
    );
  });
  afterAll(() => testApp?.stop());
  afterEach(() => testApp.rules({ faults: [] }));

  async function sharedRelay(ada: Person): Promise<{ url: string }> {
    const making = makeRelay(ada, { channel: 'C0PARTNER' });
    const question = await reads(ada, 'is shared with another organi');
    await ada.submit(question, { 'relay.shared.C0PARTNER': { 'relay.notable': ticked('yes') } });
    const made = await making;
    await closeAll(ada);
    return made;
  }

  async function hears(action: string): Promise<string> {
    const before = new Set((await eve.messages('C0PARTNER')).map(({ ts }) => ts));
    await (!action.startsWith('post.') ? eve.choose(post, action) : eve.clickMessage(post, action));
    const told = await eventually(
      async () => (await eve.messages('C0PARTNER')).find(({ ts }) => !before.has(ts)),
      `an answer to ${action}`,
    );
    expect(told.ephemeral_for).toBe('U0EVE');
    return read(told.blocks);
  }

  it.each(['post.lookup', 'Acknowledge', 'Mute'])(
    'a person of another workspace who clicks the action %s is told whom to ask instead',
    async (action) => {
      const text = await hears(action);
      expect(text).toContain('In this channel, Scandesk belongs to another workspace.');
      expect(text).toContain('Ask one of them to look up the barcode and share the result here');
      expect(text).not.toMatch(/reference/i);
    },
  );

  it('a person whom Slack does not show to Scandesk is told that Scandesk belongs to another workspace', async () => {
    const other = await startTestApp(options);
    try {
      await other.rules({ faults: [{ method: 'users.info', times: 5, as: 'refused', error: 'user_not_visible' }] });
      const told = await other.person('U0MIA').command('/scandesk status');
      expect(read(told.blocks)).toContain('Scandesk belongs to another workspace');
    } finally {
      await other.stop();
    }
  });
});
