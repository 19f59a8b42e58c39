import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { describe, expect, it, type TestContext } from 'vitest';
import { testBrowser } from './browser.js';
import { findChromium, startChromium } from './chromium.js';

/** A folder for PATH with a program `chromium` in it that ends with this code. */
function programs({ onTestFinished }: TestContext, exitCode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'scandesk-chromium-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'chromium'), `#!/bin/sh\nexit ${exitCode}\n`);
  chmodSync(join(folder, 'chromium'), 0o755);
  return folder;
}

describe('the browser of the tests', () => {
  it('the tests use the browser that CHROMIUM names, before the machine’s own', async (context) => {
    const [named, own] = [programs(context, 0), programs(context, 0)];
    const found = await findChromium({ CHROMIUM: join(named, 'chromium'), PATH: own });
    expect(found.executablePath).toBe(join(named, 'chromium'));
  });

  it('the tests fail if the browser that CHROMIUM names does not run, and use no other browser', async (context) => {
    const named = join(programs(context, 1), 'chromium');
    await expect(findChromium({ CHROMIUM: named, PATH: programs(context, 0) })).rejects.toThrow(named);
  });

  it('the tests use the machine’s own browser where it runs', async (context) => {
    const [broken, own] = [programs(context, 127), programs(context, 0)];
    const found = await findChromium({ PATH: `${broken}:${own}` });
    expect(found.executablePath).toBe(join(own, 'chromium'));
  });

  it.runIf(process.platform === 'linux' && process.arch === 'x64')(
    'a machine without a browser uses the browser from npm ci, which draws a page with text',
    async (context) => {
      const found = await Promise.all([findChromium({ PATH: programs(context, 127) }), findChromium({ PATH: '' })]);
      expect(found[0].executablePath).toContain('node_modules');
      expect(found[1]).toEqual(found[0]);
      const server = await startChromium(found[0]);
      context.onTestFinished(() => server.close());
      const { page } = await testBrowser(await chromium.connect(server.wsEndpoint())).open(
        'data:text/html,<p style="display:inline-block">iiii</p>',
      );
      const { width, height } = (await page.locator('p').boundingBox())!;
      expect(width).toBeGreaterThan(5);
      expect(height).toBeGreaterThan(10);
    },
  );
});
