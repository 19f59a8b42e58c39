/** The browser of page tests: headless Chromium without network access. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { type Chromium, findChromium } from './chromium.js';

export interface TestBrowser {
  /** Opens a page in a session of its own and collects its errors and blocked resources. */
  open(url: string, options?: { width?: number; height?: number; timezoneId?: string }): Promise<TestPage>;
  close(): Promise<void>;
}

export interface TestPage {
  readonly page: Page;
  /** Uncaught errors and console errors since the page opened, including blocked resources. */
  readonly faults: string[];
  close(): Promise<void>;
}

export async function launchBrowser(found?: Chromium): Promise<TestBrowser> {
  const { executablePath, env } = found ?? (await findChromium());
  const browser: Browser = await chromium.launch({
    executablePath,
    env: { ...process.env, ...env } as Record<string, string>,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
  return {
    async open(url, options = {}) {
      const context = await browser.newContext({
        viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
        locale: 'en-US',
        ...(options.timezoneId ? { timezoneId: options.timezoneId } : {}),
      });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      await page.goto(url);
      return { page, faults, close: () => context.close() };
    },
    close: () => browser.close(),
  };
}
