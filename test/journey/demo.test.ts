import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScannerState, ScanResult } from '../../src/sandbox/codereadr/api.js';
import { expectAccessible } from '../helpers/axe.js';
import { openBrowser, type TestBrowser } from '../helpers/browser.js';
import { expectNoSecrets } from '../helpers/canaries.js';
import { type Demo, startDemo } from '../helpers/demo.js';
import { callsOf, createPerson, type Person } from '../helpers/person.js';

/** A postback service of the sample data, and two of its barcodes. */
const service = { id: '1206', name: 'VIP lounge' };
const known = 'HLF-000004';
const scanned = 'HLF-000003';

async function scannerState(base: string): Promise<ScannerState> {
  return (await fetch(new URL('/account/scanner/state', base))).json() as Promise<ScannerState>;
}

async function enterUrl(base: string, url: string): Promise<void> {
  const { api_key } = await scannerState(base);
  const answer = await fetch(new URL('/account/api/', base), {
    method: 'POST',
    body: new URLSearchParams({
      section: 'services',
      action: 'update',
      api_key,
      service_id: service.id,
      postback_url: url,
    }),
  });
  expect(await answer.text()).toContain('<status>1</status>');
}

async function scan(base: string, value: string): Promise<ScanResult> {
  const answer = await fetch(new URL('/account/scanner/scan', base), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ service_id: service.id, device_id: '571', user_id: '702', value }),
  });
  return answer.json() as Promise<ScanResult>;
}

/** Everything readable in blocks, a line a piece; what stands in one line of rich text stays in one, as a person reads it. */
function textOf(blocks: unknown): string {
  if (Array.isArray(blocks)) {
    return blocks.map(textOf).join('\n');
  }
  if (typeof blocks !== 'object' || blocks === null) {
    return '';
  }
  const { type, text, elements, ...rest } = blocks as Record<string, unknown>;
  const own = typeof text === 'string' ? text : textOf(text);
  const inside = Array.isArray(elements) ? elements.map(textOf).join(type === 'rich_text_section' ? '' : '\n') : '';
  return [own, inside, ...Object.values(rest).map(textOf)].filter(Boolean).join('\n');
}

const callback = (id: string) => (view: { callback_id: string }) => view.callback_id === id;

describe('the demo by plain HTTP', () => {
  it('the demo by plain HTTP connects, looks up, shares, creates a relay, posts scans and survives a restart', async ({
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'scandesk-demo-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    let demo: Demo = await startDemo(folder);
    onTestFinished(async () => {
      await demo.stop();
    });
    const ada: Person = createPerson(demo.url, 'U0ADA');
    const mia = createPerson(demo.url, 'U0MIA');

    // Connects the account with the key the scanner shows.
    expect(await ada.say('C0GENERAL', '/scandesk connect')).toMatchObject({ ok: true });
    const form = await ada.waitForView(callback('connect'));
    const { api_key } = await scannerState(demo.url);
    expect(
      await ada.submit(form.id, { key: { 'connect.key': { type: 'plain_text_input', value: api_key } } }),
    ).toMatchObject({ ok: true });
    const databases = await ada.waitForView(callback('connect.databases'));
    expect(textOf(databases.view)).toContain('Harbour Lights Festival tickets');
    await ada.submit(databases.id, {});

    // Looks a barcode up with one command, for the asker alone.
    await ada.say('C0GENERAL', `/barcode ${known}`);
    const card = await ada.waitForMessage('C0GENERAL', (m) => textOf(m.blocks).includes('Valid in'));
    expect(card.ephemeral_for).toBe('U0ADA');
    expect(textOf(card.blocks)).toContain(known);
    expect((await mia.messages('C0GENERAL')).some((m) => textOf(m.blocks).includes(known))).toBe(false);

    // Shares the card with the channel.
    const answered = await ada.waitForMessage('C0GENERAL', (m) => textOf(m.blocks).includes('Share here'));
    const share = (answered.blocks as { block_id: string; elements?: { action_id?: string }[] }[]).find((block) =>
      block.elements?.some((element) => element.action_id === 'lookup.share'),
    );
    await ada.act({
      container: { type: 'message', channel: 'C0GENERAL', ts: answered.ts },
      block_id: share!.block_id,
      action_id: 'lookup.share',
    });
    const shared = await mia.waitForMessage('C0GENERAL', (m) => textOf(m.blocks).includes(known));
    expect(shared.ephemeral_for).toBeUndefined();

    // Sets a relay up and hands out its URL.
    await ada.say('C0GENERAL', '/scandesk relay');
    const list = await ada.waitForView(callback('relay.list'));
    const block = (list.view.blocks as { block_id: string; elements?: { action_id?: string }[] }[]).find((b) =>
      b.elements?.some((element) => element.action_id === 'relay.new'),
    );
    await ada.act({
      container: { type: 'view', view_id: list.id },
      block_id: block!.block_id,
      action_id: 'relay.new',
    });
    const relayForm = await ada.waitForView(callback('relay.form'));
    const fields = relayForm.view.blocks as { block_id: string; element?: { action_id?: string } }[];
    const serviceField = fields.find(({ element }) => element?.action_id === 'relay.service')!;
    await ada.submit(relayForm.id, {
      [serviceField.block_id]: {
        'relay.service': {
          type: 'static_select',
          selected_option: { text: { type: 'plain_text', text: service.name, emoji: false }, value: service.id },
        },
      },
      'relay.channel': {
        'relay.channel': { type: 'conversations_select', selected_conversation: 'C0FRONTGATE' },
      },
      'relay.notable': {
        'relay.notable': {
          type: 'radio_buttons',
          selected_option: { text: { type: 'plain_text', text: 'Every scan', emoji: false }, value: 'all' },
        },
      },
    });
    const made = await ada.waitForView(callback('relay.url'));
    const relayUrl = /http:\/\/127\.0\.0\.1:\d+\/relay\/[\w-]+\/[\w-]+/.exec(textOf(made.view))?.[0] ?? '';
    expect(relayUrl).not.toBe('');

    // Answers a scan on the device and posts it into the channel.
    await enterUrl(demo.url, relayUrl);
    const result = await scan(demo.url, scanned);
    expect(result.shown.kind).toBe('valid');
    const post = await ada.waitForMessage('C0FRONTGATE', (m) => textOf(m.blocks).includes(scanned));
    expect(textOf(post.blocks)).toContain(service.name);

    // Keeps a leading zero, spaces and signs on the whole way.
    const odd = ' 007 <!channel> *x* `y` :100: &amp; ';
    await scan(demo.url, odd);
    const exact = await ada.waitForMessage('C0FRONTGATE', (m) => textOf(m.blocks).includes(odd));
    expect(exact.text).not.toContain('<!channel>');

    // Stops cleanly, and a second start finds yesterday’s data at the same address.
    const address = demo.url;
    expect(await demo.stop()).toBe(0);
    demo = await startDemo(folder);
    expect(demo.url).toBe(address);
    expect(await ada.messages('C0FRONTGATE')).toHaveLength(2);
    await scan(demo.url, 'after the night');
    await ada.waitForMessage('C0FRONTGATE', (m) => textOf(m.blocks).includes('after the night'));
    expect(await ada.messages('C0FRONTGATE')).toHaveLength(3);

    // Lets no secret be seen: not in the log, not in the database, not in what Slack was told.
    const { botToken, signingSecret, clientSecret } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
    expectNoSecrets({
      secrets: { api_key, botToken, signingSecret, clientSecret },
      log: demo.output(),
      databaseFile: join(folder, 'scandesk.db'),
      calls: await callsOf(demo.url),
    });
  }, 180_000);
});

describe('the demo in a browser', () => {
  /**
   * The README's picture, and what it shows in words. Both are taken anew with UPDATE_PICTURES=1 alone: a test leaves the
   * tree as it was.
   */
  const picture = join(import.meta.dirname, 'demo.png');
  const shown = join(import.meta.dirname, 'demo.txt');

  /** Roles, names and texts of the page, without what differs from run to run. Fonts do not matter to it. */
  async function structure(): Promise<string> {
    const found = await page.locator('body').ariaSnapshot();
    const days = '([Tt]oday|[Yy]esterday|(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|[A-Z][a-z]{2,8} \\d+(st|nd|rd|th))';
    return `${found
      .split('\n')
      .filter((line) => !/as of |Copying the account/.test(line))
      .join('\n')
      .replace(/127\.0\.0\.1:\d+/g, 'HOST')
      .replace(/triggers\/\S+/g, 'triggers/PATH')
      .replace(/\/relay\/[\w-]+/g, '/relay/ID')
      .replace(/SCANDESK-TEST-\w+/g, 'SCANDESK-TEST-ID')
      // The sample's scans lie in the daylight before the start.
      .replace(/"HLF-\d+ (valid|scanned before|not valid): [^"]*"( \[pressed\])?/g, '"SAMPLE $1"')
      .replace(new RegExp(`\\b${days}((, | at )${days})*`, 'g'), 'DAY')
      .replace(/\d{1,2}:\d\d(:\d\d)?/g, 'TIME')}\n`;
  }

  /** Each command of *What to try next* is answered, and what else the guide names is on the page. */
  async function tryEachSuggestion(): Promise<void> {
    const answers: Readonly<Record<string, string>> = {
      [`/barcode ${scanned}`]: 'Gate A phone',
      [`/scandesk watch ${scanned}`]: scanned,
      '/scandesk inside': 'No list counts who is inside yet',
      '/scandesk relay': 'New relay',
      '/scandesk databases': 'Harbour Lights Festival tickets',
    };
    expect(await at('guide-command').allTextContents()).toEqual(Object.keys(answers));
    for (const [command, answer] of Object.entries(answers)) {
      const before = await at('message').count();
      await guided(command);
      if (/relay|databases/.test(command)) {
        await at('modal').filter({ hasText: answer }).waitFor();
        await closeModals();
      } else {
        await expect.poll(() => at('message').count()).toBe(before + 1);
        await expect.poll(() => at('message').last().textContent()).toContain(answer);
      }
    }
    await at('person-menu').click();
    expect(await at('person-option').filter({ hasText: 'Mia Member' }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await at('guide-home').click();
    await at('home').filter({ hasText: 'Connected' }).waitFor();
    await expect.poll(() => at('home').locator('[data-action-id^="lookup"]').count()).toBeGreaterThan(0);
  }
  let browser: TestBrowser;
  let page: Page;

  const at = (name: string) => page.locator(`[data-test=${name}]`);
  const control = (actionId: string) => at('modal').last().locator(`[data-action-id="${actionId}"]`);

  /** What the guide puts into the box, sent. */
  async function guided(command: string): Promise<void> {
    await at('guide-command').getByText(command, { exact: true }).click();
    await at('send').click();
  }

  const ticked = () =>
    page.locator('[data-test=guide-step].done').evaluateAll((steps) => steps.map((step) => step.dataset.step));

  async function closeModals(): Promise<void> {
    while (await at('modal').isVisible()) {
      await page.keyboard.press('Escape');
      await page.waitForTimeout(100);
    }
  }

  async function choose(actionId: string, label: string): Promise<void> {
    await control(actionId).click();
    await page.locator('[data-test=option], [role=option]').filter({ hasText: label }).first().click();
  }

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  it('the demo in a browser connects, looks up, shares, creates a relay, and shows a scan in the channel', async ({
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'scandesk-demo-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const demo = await startDemo(folder);
    onTestFinished(async () => {
      await demo.stop();
    });
    const opened = await browser.open(demo.url, { width: 1360, height: 900 });
    onTestFinished(() => opened.close());
    page = opened.page;
    page.setDefaultTimeout(20_000);
    await page.waitForSelector('body[data-ready]');

    // Connects.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await expectAccessible(page);
    await guided('/scandesk connect');
    await control('connect.key').fill('not the key');
    await at('modal-submit').click();
    await at('field-error')
      .filter({ hasText: /\S/ })
      .or(at('modal').filter({ hasText: 'Reference' }))
      .first()
      .waitFor();
    expect(await ticked()).toEqual([]);
    await expectAccessible(page);
    await at('guide-copy').click();
    await control('connect.key').press('Control+A');
    await control('connect.key').press('Control+V');
    await at('modal-submit').click();
    await at('modal').filter({ hasText: 'Lookups search every database' }).waitFor();
    await expect.poll(ticked).toEqual(['connect']);
    await at('modal-submit').click();
    await at('modal').filter({ hasText: 'Lookups now search every database.' }).waitFor();
    await closeModals();

    // Looks the README's example up, and shares it.
    await page.locator('[data-test=channel][data-channel=C0FRONTGATE]').click();
    await guided('/barcode 0012345');
    const card = at('message').filter({ hasText: 'Wristbands, blue' });
    await card.waitFor();
    await expect.poll(ticked).toEqual(['connect', 'lookup']);
    expect(await card.getAttribute('data-ephemeral')).not.toBeNull();
    await expectAccessible(page);
    await card.locator('[data-action-id="lookup.share"]').click();
    await page.locator('[data-test=message]:not([data-ephemeral])').filter({ hasText: 'Wristbands, blue' }).waitFor();

    // Makes a relay, and has it set up the service: two clicks.
    await guided('/scandesk relay');
    await control('relay.new').click();
    await choose('relay.service', service.name);
    await choose('relay.channel', 'front-gate');
    await expectAccessible(page);
    await at('modal-submit').click();
    expect(await ticked()).toEqual(['connect', 'lookup']);
    await at('modal').getByRole('button', { name: 'Set up a service' }).click();
    await at('modal').getByRole('button', { name: 'Set up', exact: true }).click();
    await at('modal').filter({ hasText: 'Everything works' }).waitFor();
    await expect.poll(ticked).toEqual(['connect', 'lookup', 'relay']);
    await expectAccessible(page);
    await closeModals();

    // Scans, and sees the scan in the channel.
    expect(await at('scanner-service').inputValue()).toBe(service.id);
    await at('scanner-value').fill(scanned);
    await at('scanner-scan').click();
    await page.locator('[data-test=scanner-result][data-kind=valid]').waitFor();
    await at('message').filter({ hasText: scanned }).waitFor();
    await at('guide').filter({ hasText: 'What to try next' }).waitFor();
    await expectAccessible(page);

    // Shows it well, and nothing went wrong in the page.
    await at('message').filter({ hasText: scanned }).scrollIntoViewIfNeeded();
    await page.mouse.move(0, 0);
    const structureNow = await structure();
    if (process.env.UPDATE_PICTURES) {
      await page.screenshot({ path: picture });
      writeFileSync(shown, structureNow);
    }
    expect(structureNow, 'take the picture anew: UPDATE_PICTURES=1 npx vitest run test/journey/demo.test.ts').toBe(
      readFileSync(shown, 'utf8'),
    );
    // Whoever looks, in another browser too, sees what the workspace has done.
    const second = await browser.open(`${demo.url}?as=U0MIA&channel=C0STOCKROOM`);
    await second.page.locator('[data-test=guide]').filter({ hasText: 'What to try next' }).waitFor();
    await second.close();
    await tryEachSuggestion();
    await expectAccessible(page);
    expect(opened.faults).toEqual([]);
  }, 300_000);
});
