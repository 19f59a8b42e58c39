import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import { type Standalone, startStandalone } from '../../../src/sandbox/codereadr/standalone.js';

let folder: string;
let standalone: Standalone;
const options = () => ({
  file: join(folder, 'deep', 'account.db'),
  clock: systemClock,
  random: systemRandom,
  log: silentLog,
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'standalone-'));
  standalone = await startStandalone({ ...options(), port: 0 });
});
afterEach(async () => {
  await standalone.stop();
  rmSync(folder, { recursive: true });
});

/** Does what a line of curl does: posts its `-d` pairs. */
async function run(line: string): Promise<Buffer> {
  const [, url = '', ...words] = line.trim().split(' ');
  const body = words.filter((_, index) => words[index - 1] === '-d').join('&');
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return Buffer.from(await (await fetch(url, { method: 'POST', body, headers })).arrayBuffer());
}

it('the stand-alone account prints three command lines that work when copied', async () => {
  const lines = standalone.welcome.split('\n').filter((line) => line.startsWith('  curl '));
  expect(lines.length).toBe(3);
  const [list, lookup, picture] = await Promise.all(lines.map(run));
  expect(String(list)).toContain('<name>Gate A: tickets</name>');
  expect(String(lookup)).toContain('<id>HLF-000001</id>');
  expect(picture?.toString('latin1', 0, 6)).toBe('GIF89a');
  expect(lines[2]).toMatch(/ -o barcode\.gif$/);
});

it('the stand-alone account does not start on a port that is in use', async () => {
  const port = Number(new URL(standalone.address).port);
  await expect(startStandalone({ ...options(), file: join(folder, 'other.db'), port })).rejects.toThrow('EADDRINUSE');
});
