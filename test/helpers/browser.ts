/** The browser of page tests: headless Chromium without network access. */
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { askFor } from './run-server.js';

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

/** A session of its own with the browser of the test run. */
export async function openBrowser(): Promise<TestBrowser> {
  return testBrowser(await chromium.connect(await askFor<string>(inject('browserServer'))));
}

/** Scrolls to what stands there now: the page may redraw it between two steps of a driver's. */
export async function scrollTo(place: Locator): Promise<void> {
  await place.evaluate((element: { scrollIntoView(): void }) => element.scrollIntoView());
}

export function testBrowser(browser: Browser): TestBrowser {
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
