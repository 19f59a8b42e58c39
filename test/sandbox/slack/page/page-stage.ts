/**
 * Shared fixtures of page tests: the page built from the sources into a separate folder, the real workspace and account
 * on one origin as in the demo, and Chromium. `openStage` opens the renderers alone, `openPage` the whole page.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import { forPage } from '../../../../rolldown.config.js';
import { systemClock, systemRandom } from '../../../../src/clock.js';
import { silentLog } from '../../../../src/log.js';
import { type AccountService, createAccountService } from '../../../../src/sandbox/codereadr/index.js';
import { openBrowser, type TestBrowser, type TestPage } from '../../../helpers/browser.js';
import { type Json, type Stage, setStage } from '../helpers.js';

const source = resolve(import.meta.dirname, '../../../../src/sandbox/slack/page');

async function buildPage(): Promise<{ folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-page-'));
  await build(forPage(folder, { main: join(source, 'main.ts'), stage: join(import.meta.dirname, 'stage.js') }));
  // The page's own document and style sheets, with the tests' script instead of the page's.
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  writeFileSync(join(folder, 'stage.html'), html.replace('/page/main.js', '/page/stage.js'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface PageStage {
  readonly stage: Stage;
  readonly account: AccountService;
  /** The page's origin, with both services. */
  readonly url: string;
  /** Runs `work` while all connections of the page break and new ones are refused. */
  whileUnreachable(work: () => Promise<void>): Promise<void>;
  /** Runs `work` while the page's origin serves no account. */
  withoutAccount(work: () => Promise<void>): Promise<void>;
  readonly browser: TestBrowser;
  /** Opens the renderers without the page; `call` runs a function of stage.js. */
  openStage(): Promise<Renderers>;
  /** Opens the whole page as one person; resolves when it is ready. */
  openPage(as: string, options?: { channel?: string; width?: number; height?: number }): Promise<TestPage>;
  close(): Promise<void>;
}

export interface Renderers extends TestPage {
  call<T = unknown>(name: string, ...args: unknown[]): Promise<T>;
  /** Clears page and form, and draws these blocks. */
  draw(
    blocks: readonly Json[],
    options?: { kind?: 'message' | 'modal'; errors?: Record<string, string> },
  ): Promise<void>;
  values(): Promise<Json>;
  acts(): Promise<readonly { blockId: string; actionId: string; chosen: Json }[]>;
}

export async function setPageStage(): Promise<PageStage> {
  const built = await buildPage();
  const stage = await setStage({ pageFolder: built.folder });
  const account = await createAccountService({
    file: ':memory:',
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    prefix: '/account',
    limits: { minute: -1, day: -1 },
  });
  let accountIsThere = true;
  let reachable = true;
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    if (!reachable) {
      response.destroy();
      return;
    }
    const part = request.url?.startsWith('/account/') && accountIsThere ? account : stage.workspace;
    part.handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await openBrowser();
  return {
    stage,
    account,
    url,
    browser,
    whileUnreachable: async (work) => {
      reachable = false;
      server.closeAllConnections();
      try {
        await work();
      } finally {
        reachable = true;
      }
    },
    withoutAccount: async (work) => {
      accountIsThere = false;
      try {
        await work();
      } finally {
        accountIsThere = true;
      }
    },
    async openStage() {
      const opened = await browser.open(`${url}/page/stage.html`);
      const { page } = opened;
      await page.waitForSelector('body[data-ready]');
      const call = <T>(name: string, ...args: unknown[]): Promise<T> =>
        page.evaluate(`window.stage.${name}(...${JSON.stringify(args)})`) as Promise<T>;
      return {
        ...opened,
        call,
        async draw(blocks, how) {
          await call('clear');
          await call('draw', blocks, how ?? {});
        },
        values: () => call<Json>('values'),
        acts: () =>
          page.evaluate('window.stage.acts') as Promise<{ blockId: string; actionId: string; chosen: Json }[]>,
      };
    },
    async openPage(as, { channel, ...size } = {}) {
      const query = new URLSearchParams({ as, ...(channel ? { channel } : {}) });
      const opened = await browser.open(`${url}/?${query}`, size);
      await opened.page.waitForSelector('body[data-ready]');
      return opened;
    },
    async close() {
      await browser.close();
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
      await stage.close();
      await account.close();
      built.remove();
    },
  };
}

/** A selector of one element's control. */
export const control = (blockId: string, actionId: string, within = ''): string =>
  `${within} [data-block-id="${blockId}"] [data-action-id="${actionId}"]`.trim();

export const option = (value: string): string => `[data-test="option"][data-value="${value}"]`;
