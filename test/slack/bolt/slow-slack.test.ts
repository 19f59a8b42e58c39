import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import { make } from '../../../src/slack/barcode-image/make-command.js';
import { call } from '../../../src/slack/operations/call-command.js';
import { read } from '../block-kit/reading.js';
import { closeAll, connect, makeRelay, scan } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp } from '../test-app.js';

const gone = { ms: 0 };
const clock: Clock = { now: () => Date.now() + gone.ms, sleep: systemClock.sleep };

describe('while Slack is slow to identify people', () => {
  let testApp: TestApp;
  let ada: Person;
  let mia: Person;
  beforeAll(async () => {
    testApp = await startTestApp({ clock, settings: { POST_INTERVAL_MS: '0' } });
    ada = testApp.person('U0ADA');
    mia = testApp.person('U0MIA');
    await connect(ada);
  });
  afterAll(() => testApp?.stop());
  afterEach(async () => {
    await testApp.rules({ faults: [] });
    await closeAll(ada);
    await closeAll(mia);
  });

  /** Makes Slack slow to identify people: cached roles expire, and users.info takes longer than a trigger lives. */
  async function slow(): Promise<void> {
    gone.ms += 61_000;
    // The fault applies twice: an earlier request that is still running may use the first one.
    await testApp.rules({ faults: [{ method: 'users.info', times: 2, as: 'slow', delayMs: 3_200 }] });
  }

  it.each([
    ['/barcode HLF-000001', 'Already used at Gate A'],
    ['/scandesk status', 'Connected by'],
  ])('the command %s gets one notice while Slack is slow, then its result', async (typed, words) => {
    await slow();
    const line = await mia.firstAnswer(typed);
    expect(read(line.blocks)).toBe('One moment… This is taking longer than usual. The answer will appear here.');
    expect(line.ephemeral_for).toBe('U0MIA');
    const answer = await eventually(
      async () => (await mia.messages()).find(({ ts }) => ts > line.ts),
      'the answer after the line',
    );
    expect(read(answer.blocks)).toContain(words);
    expect((await mia.messages()).filter(({ ts }) => ts > line.ts)).toHaveLength(1);
  });

  it('a lookup is answered with a card while Slack identifies the person in time', async () => {
    const card = await mia.command('/barcode HLF-000001');
    expect(read(card.blocks)).toContain('Already used at Gate A');
  });

  it('Look up on a post is answered with the slow notice and then the card while Slack is slow', async () => {
    const { url } = await makeRelay(ada);
    await scan(url, { tid: 'SLOW-1' });
    const post = await eventually(
      async () => (await mia.messages()).find(({ blocks }) => read(blocks).includes('SLOW-1')),
      'the post',
    );
    await slow();
    await mia.clickMessage(post, 'post.lookup');
    const told = async () => (await mia.messages()).filter(({ ts }) => ts > post.ts).map(({ blocks }) => read(blocks));
    const both = await eventually(async () => {
      const all = await told();
      return all.length === 2 ? all : undefined;
    }, 'the line and the card');
    expect(both[0]).toContain('One moment');
    expect(both[1]).toContain('SLOW-1');
  });
});

describe('the window that a text opens', () => {
  const titleOfText = (entry: typeof make, text: string) =>
    'prepare' in entry ? entry.prepare(text).modalTitle : entry.modalTitle;

  it.each([
    [make, '', 'Create a barcode'],
    [make, '00123', undefined],
    [call, '', undefined],
    [call, 'services', undefined],
    [call, 'limits retrieve', undefined],
    [call, 'services create', 'Create a service'],
    [call, 'services delete service_id=1201', 'Delete services'],
    [call, 'nothing known', undefined],
  ])('the title of the window for a command’s text $1 is known before it runs: $2', (entry, text, title) => {
    expect(titleOfText(entry, text)).toBe(title);
  });
});
