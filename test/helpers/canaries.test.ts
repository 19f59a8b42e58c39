import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedCall } from '../../src/sandbox/slack/api.js';
import { type Evidence, expectNoSecrets } from './canaries.js';

const secret = `${'A'.repeat(42)}-`;
const address = {
  relay: `https://x.example/relay/r_1/${secret}`,
  history: `https://x.example/pages/r_1/${secret}/history`,
  lookup: `https://x.example/pages/r_1/${secret}/lookup`,
};
const call = (method: string, text: string): RecordedCall => ({ n: 1, at: 0, method, ok: true, body: { view: text } });

describe('the search for leaked secrets', () => {
  let folder: string;
  const evidence = (more: Partial<Evidence> & { database?: string } = {}): Evidence => {
    const { database = '', ...rest } = more;
    const databaseFile = join(folder, 'x.db');
    writeFileSync(databaseFile, database);
    return { secrets: {}, log: '', databaseFile, calls: [], ...rest };
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'scandesk-canaries-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(Object.entries(address))('the search for leaked secrets allows one window that shows a %s URL', (_, url) => {
    expect(() => expectNoSecrets(evidence({ calls: [call('views.update', url)] }))).not.toThrow();
  });

  it.each(Object.entries(address))('the search for leaked secrets finds a %s URL outside its one window', (_, url) => {
    const shown = call('views.update', url);
    const bare = `…${secret}…`;
    for (const more of [
      { calls: [shown, call('views.update', bare)] },
      { calls: [shown, call('chat.postMessage', bare)] },
      { calls: [shown], log: bare },
      { calls: [shown], database: bare },
      { asked: [new URLSearchParams({ direct_history_url: url }).toString()], log: bare },
      { log: url },
      { database: url },
      { calls: [call('chat.postEphemeral', url)] },
    ]) {
      expect(() => expectNoSecrets(evidence(more)), JSON.stringify(more)).toThrow(/secret/);
    }
  });

  it('the search for leaked secrets allows a URL in a request to the account', () => {
    const asked = [new URLSearchParams({ direct_history_url: address.history }).toString()];
    expect(() => expectNoSecrets(evidence({ asked }))).not.toThrow();
  });

  it('the search for leaked secrets finds API keys and tokens anywhere', () => {
    expect(() => expectNoSecrets(evidence({ secrets: { key: 'k-123' }, log: 'k-123' }))).toThrow(/key in the log/);
    expect(() => expectNoSecrets(evidence({ log: 'xoxb-1' }))).toThrow(/a bot token in the log/);
  });
});
