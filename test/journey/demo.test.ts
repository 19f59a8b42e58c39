import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible } from '../helpers/axe.js';
import { openBrowser, scrollTo, type TestBrowser } from '../helpers/browser.js';
import { startDemo } from '../helpers/demo.js';
import { takePicture } from '../helpers/pictures.js';

/** A postback service of the sample data, and two of its barcodes. */
const service = { id: '1206', name: 'VIP lounge' };
const scanned = 'HLF-000003';

describe('the demo in a browser', () => {
  /**
   * The README's picture, and what it shows in words. Both are taken anew with UPDATE_PICTURES=1 alone: a test leaves the
   * tree as it was.
   */
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

  /** Waits until the account is copied: then a lookup says the same whenever the picture is taken. */
  async function copied(): Promise<void> {
    await expect
      .poll(
        async () => {
          await guided('/scandesk connect');
          await at('modal').filter({ hasText: 'API calls left' }).waitFor();
          const shown = await at('modal').last().textContent();
          await closeModals();
          return shown;
        },
        { timeout: 60_000, interval: 1_000 },
      )
      .toContain('Copied: ');
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
    await at('modal').filter({ hasText: 'Saved.' }).waitFor();
    await closeModals();
    await copied();

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
    await scrollTo(at('message').filter({ hasText: scanned }));
    await page.mouse.move(0, 0);
    const structureNow = await structure();
    await takePicture(page, 'test/journey/demo.png');
    if (process.env.UPDATE_PICTURES) {
      writeFileSync(shown, structureNow);
    }
    expect(structureNow, 'take the picture anew: UPDATE_PICTURES=1 npx vitest run test/journey/demo.test.ts').toBe(
      readFileSync(shown, 'utf8'),
    );
    // Whoever looks, in another browser too, sees what the workspace has done.
    const second = await browser.open(`${demo.url}?as=U0MIA&channel=C0STOCKROOM`);
    const guideOfMember = second.page.locator('[data-test=guide]').filter({ hasText: 'What to try next' });
    await guideOfMember.waitFor();
    // A member is offered nothing that is refused.
    const offered = await guideOfMember.locator('[data-test=guide-command]').allTextContents();
    expect(offered.filter((command) => /relay|databases|connect/.test(command))).toEqual([]);
    await second.close();
    // What to try next leaves the scanner its place.
    const box = async (name: string) => (await at(name).boundingBox())!;
    const [guide, scanButton] = [await box('guide'), await box('scanner-scan')];
    expect(guide.y + guide.height).toBeLessThan(0.4 * 900);
    // Its head is whole, and no hint of a sample is cut.
    const head = (await page.getByRole('heading', { name: 'Scanner' }).boundingBox())!;
    expect(head.y).toBeGreaterThanOrEqual(guide.y + guide.height);
    const hints = at('scanner-sample').locator('small');
    expect(await hints.evaluateAll((all) => all.filter((one) => one.scrollHeight > one.clientHeight).length)).toBe(0);
    expect(scanButton.y + scanButton.height).toBeLessThan(900);
    await tryEachSuggestion();
    await expectAccessible(page);
    // Whoever tries all that and then pastes several barcodes at once finds calls left.
    await page.keyboard.press('Escape');
    await page.locator('[data-test=channel][data-channel=C0FRONTGATE]').click();
    await page
      .getByRole('textbox', { name: /^Message/ })
      .fill('/barcode HLF-000001 HLF-000002 HLF-000004 HLF-000056 X-1');
    await at('send').click();
    const several = at('message').filter({ hasText: '5 barcodes' });
    await several.waitFor();
    expect(await several.textContent()).not.toContain('not checked');
    expect(opened.faults).toEqual([]);
  }, 300_000);
});
