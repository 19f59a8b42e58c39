/** An accessibility check of an open page with axe-core, in light and dark mode: no violation of any of its rules. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function violations(page: Page, colorScheme: 'light' | 'dark', except: readonly string[]): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(source);
  const results = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as AxeResults;
  return results.violations
    .filter(({ id }) => !except.includes(id))
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${colorScheme}: ${id}: ${node.html.slice(0, 200)}\n${node.failureSummary ?? ''}`),
    );
}

/** `except`: rules that this view has a reason to break. */
export async function expectAccessible(page: Page, except: readonly string[] = []): Promise<void> {
  const found = [...(await violations(page, 'light', except)), ...(await violations(page, 'dark', except))];
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  expect(found).toEqual([]);
}
