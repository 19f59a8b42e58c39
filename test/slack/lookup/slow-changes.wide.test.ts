/** Changes from a card while the account takes long. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ShownMessage } from '../../../src/sandbox/slack/api.js';
import { read } from '../block-kit/reading.js';
import { connect } from '../connected.js';
import { eventually, optionNamed, type Person, startTestApp, type TestApp } from '../test-app.js';

const waiting = 'One moment… This is taking longer than usual. The answer will appear here.';

describe('a change from a card on a slow account', () => {
  let testApp: TestApp;
  let ada: Person;
  beforeAll(async () => {
    testApp = await startTestApp();
    ada = testApp.person('U0ADA');
    await connect(ada);
  });
  afterAll(() => testApp?.stop());
  afterEach(() => testApp.accountFaults({ next: [] }));

  /** Clicks, expects the notice within 4 s, and resolves to the changed card. */
  async function changes(
    card: ShownMessage,
    click: () => Promise<unknown>,
    has: (text: string) => boolean,
  ): Promise<ShownMessage> {
    await testApp.accountFaults({
      next: [{ operation: 'databases/showvalues', times: 1, as: 'slow', delay_ms: 5_000 }],
    });
    const from = new Set((await ada.messages()).map(({ ts }) => ts));
    const begun = Date.now();
    await click();
    const line = await eventually(async () => (await ada.messages()).find(({ ts }) => !from.has(ts)), 'a word');
    expect(read(line.blocks)).toBe(waiting);
    expect(line.ephemeral_for).toBe('U0ADA');
    expect(Date.now() - begun).toBeLessThan(4_000);
    return eventually(async () => {
      const now = (await ada.messages()).find(({ ts }) => ts === card.ts);
      return now && has(JSON.stringify(now.blocks)) ? now : undefined;
    }, 'the changed card');
  }

  it('Mark valid, Mark not valid and Undo say within 4 s that the account is slow, then change the card', async () => {
    const card = await ada.command('/barcode HLF-000005');
    const mark = (shown: ShownMessage, deed: string) => () =>
      ada.clickMessage(shown, 'lookup.change', optionNamed(shown.blocks, deed));
    const out = await changes(card, mark(card, 'Mark not valid'), (shown) => shown.includes('"Mark valid"'));
    const back = await changes(out, mark(out, 'Mark valid'), (shown) => shown.includes('"Mark not valid"'));
    await changes(
      back,
      () => ada.clickMessage(back, 'lookup.undo'),
      (shown) => shown.includes('"Mark valid"'),
    );
  });
});
