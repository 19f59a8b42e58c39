import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const entry = resolve(import.meta.dirname, '../dist/main.js');
const folder = mkdtempSync(join(tmpdir(), 'scandesk-main-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The process as `npm start` starts it, in an empty folder, with these settings and no others. */
function start(settings: Record<string, string>) {
  const child = spawn(process.execPath, [entry], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed.text += text;
    });
  }
  return { child, printed, ended: once(child, 'close').then(([code]) => code as number | null) };
}

const enough = {
  PUBLIC_URL: 'http://127.0.0.1',
  HOST: '127.0.0.1',
  PORT: '0',
  SCANDESK_SECRET: Buffer.alloc(32, 9).toString('base64'),
  SLACK_SIGNING_SECRET: 'canary-signing',
  SLACK_BOT_TOKEN: 'xoxb-canary-token',
  SLACK_API_URL: 'http://127.0.0.1:9/api/',
};

describe('npm start', () => {
  it('without settings says what is missing, points to the demo, and ends with 1', async () => {
    const { printed, ended } = start({});
    expect(await ended).toBe(1);
    for (const name of ['PUBLIC_URL', 'SCANDESK_SECRET', 'SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET']) {
      expect(printed.text).toContain(name);
    }
    expect(printed.text).toContain('npm run demo');
    expect(printed.text).not.toMatch(/\bat .+:\d+:\d+/);
  });

  it('starts while Slack is down, says where it listens, and stops cleanly when asked', async () => {
    const { child, printed, ended } = start(enough);
    await expect.poll(() => printed.text, { timeout: 15_000 }).toContain('Scandesk is listening');
    const port = /"port":(\d+)/.exec(printed.text)?.[1];
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(printed.text).not.toContain('canary');
  });

  it('ends with 1 and a reason when the database cannot be opened', async () => {
    const { printed, ended } = start({ ...enough, DATABASE_URL: 'file:/dev/null/no/such.db' });
    expect(await ended).toBe(1);
    expect(printed.text).toContain('could not start');
  });

  it('ends with 1 and a reason when the port is taken', async () => {
    const first = start(enough);
    await expect.poll(() => first.printed.text, { timeout: 15_000 }).toContain('Scandesk is listening');
    const port = /"port":(\d+)/.exec(first.printed.text)?.[1] ?? '';
    const second = start({ ...enough, PORT: port, DATABASE_URL: 'file:other.db' });
    expect(await second.ended).toBe(1);
    expect(second.printed.text).toContain('EADDRINUSE');
    first.child.kill('SIGTERM');
    await first.ended;
  });
});
