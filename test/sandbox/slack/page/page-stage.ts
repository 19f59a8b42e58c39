/**
 * Owns what the page's tests stand on: the page built from the sources into a folder of its own (whatever dist holds), the
 * real workspace serving it, and Chromium. `openStage` gives the renderers alone; `openPage` the whole page.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { WorkspaceOptions } from '../../../../src/sandbox/slack/index.js';
import { launchBrowser, type TestBrowser, type TestPage } from '../../../helpers/browser.js';
import { type Json, type Stage, setStage } from '../helpers.js';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../../..');
const source = join(root, 'src/sandbox/slack/page');

async function buildPage(): Promise<{ folder: string; remove(): void }> {
  const out = mkdtempSync(join(tmpdir(), 'scandesk-page-'));
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', source, '--outDir', out]);
  await run(process.execPath, [join(source, 'copy-assets.mjs'), out]);
  const folder = join(out, 'sandbox/slack/page');
  for (const name of ['stage.html', 'stage.js']) cpSync(join(import.meta.dirname, name), join(folder, name));
  return { folder, remove: () => rmSync(out, { recursive: true, force: true }) };
}

export interface PageStage {
  readonly stage: Stage;
  readonly browser: TestBrowser;
  /** The renderers without the page around them; `call` runs a function of stage.js. */
  openStage(): Promise<Renderers>;
  /** The whole page as one person; it is ready when this resolves. */
  openPage(as: string, options?: { channel?: string; width?: number; height?: number }): Promise<TestPage>;
  close(): Promise<void>;
}

export interface Renderers extends TestPage {
  call<T = unknown>(name: string, ...args: unknown[]): Promise<T>;
  /** An empty page, a fresh form, and these blocks. */
  draw(
    blocks: readonly Json[],
    options?: { kind?: 'message' | 'modal'; errors?: Record<string, string> },
  ): Promise<void>;
  values(): Promise<Json>;
  acts(): Promise<readonly { blockId: string; actionId: string; chosen: Json }[]>;
}

export async function setPageStage(options: Partial<WorkspaceOptions> = {}): Promise<PageStage> {
  const built = await buildPage();
  const stage = await setStage({ pageFolder: built.folder, ...options });
  const browser = await launchBrowser();
  return {
    stage,
    browser,
    async openStage() {
      const opened = await browser.open(`${stage.url}/page/stage.html`);
      const { page } = opened;
      await page.waitForFunction('window.stage !== undefined');
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
      const opened = await browser.open(`${stage.url}/?${query}`, size);
      await opened.page.waitForSelector('body[data-ready]');
      return opened;
    },
    async close() {
      await browser.close();
      await stage.close();
      built.remove();
    },
  };
}

/** A selector for the control of one element. */
export const control = (blockId: string, actionId: string): string =>
  `[data-block-id="${blockId}"] [data-action-id="${actionId}"]`;

export const option = (value: string): string => `[data-test="option"][data-value="${value}"]`;
