import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.js';
import { read } from '../block-kit/reading.js';
import { closeAll, connect, makeRelay } from '../relays/relay-stage.js';
import { eventually, type Person, startTestApp, type TestApp, titleOf } from '../test-app.js';

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

  const opens = (person: Person, title: string) =>
    eventually(async () => {
      const view = await person.window();
      return view && titleOf(view) === title ? view : undefined;
    }, `a window “${title}”`);

  it('a guest gets the slow notice, and then the refusal, while Slack is slow', async () => {
    await slow();
    const gus = testApp.person('U0GUS');
    const line = await gus.firstAnswer('/barcode 00123', 'C0FRONTGATE');
    expect(read(line.blocks)).toContain('One moment');
    await eventually(
      async () =>
        (await gus.messages('C0FRONTGATE')).some(({ blocks }) => read(blocks).includes('Guests can’t use Scandesk.')),
      'why not',
    );
  });

  it.each([
    ['/scandesk relay', 'Relays', 'relay.list'],
    ['/barcode make', 'Create a barcode', ''],
  ])('the command %s opens a loading window while Slack is slow, and posts no message', async (typed, title, id) => {
    const before = (await ada.messages()).length;
    await slow();
    await ada.say(typed);
    const first = await opens(ada, title);
    expect(first.callback_id).toBe('loading');
    const view = await ada.seesWindow(title);
    expect(view.id).toBe(first.id);
    if (id !== '') {
      expect(view.callback_id).toBe(id);
    }
    expect(await ada.messages()).toHaveLength(before);
  });

  it.each([['relay.judging', 'Validation']])(
    'a click on %s in a window opens the next window on top as loading while Slack is slow',
    async (action, title) => {
      const { made } = await makeRelay(ada);
      await ada.click(made, 'relay.manage');
      const one = await ada.seesWindow('Relay');
      await slow();
      await ada.click(one, action);
      expect((await opens(ada, title)).callback_id).toBe('loading');
      const view = await ada.seesWindow(title);
      await ada.close(view);
      expect((await ada.seesWindow('Relay')).id).toBe(one.id);
    },
  );

  it('a click in App Home opens its window as loading while Slack is slow', async () => {
    await ada.openHome();
    const home = await eventually(async () => (await ada.home()) ?? undefined, 'App Home');
    await slow();
    await ada.click(home, 'connect.open');
    expect((await opens(ada, 'Connection')).callback_id).toBe('loading');
    await ada.seesWindow('Connection');
  });

  it('a click in a list’s menu opens its window as loading while Slack is slow', async () => {
    await ada.say('/scandesk services');
    const list = await ada.seesWindow('Services');
    const { block_id: block, accessory } = (
      list.view.blocks as { block_id: string; accessory?: { options: { value: string }[] } }[]
    ).find((each) => each.accessory)!;
    const change = accessory!.options.find(({ value }) => value.includes('change') || value.includes('update'))!;
    await slow();
    await ada.click(list, 'list.menu', { type: 'overflow', selected_option: change }, block);
    const first = await eventually(async () => {
      const view = await ada.window();
      return view && view.id !== list.id ? view : undefined;
    }, 'a window on top');
    expect(first.callback_id).toBe('loading');
    await ada.seesWindow(titleOf(first));
  });
});
