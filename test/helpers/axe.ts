/** An accessibility check of an open page with axe-core, in light and dark mode: no serious or critical violations. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function violations(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate(source);
  const results = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as AxeResults;
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${colorScheme}: ${id}: ${node.html.slice(0, 200)}\n${node.failureSummary ?? ''}`),
    );
}

export async function expectAccessible(page: Page): Promise<void> {
  const found = [...(await violations(page, 'light')), ...(await violations(page, 'dark'))];
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  expect(found).toEqual([]);
}
