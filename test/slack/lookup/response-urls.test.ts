import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Clock, systemClock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import { message } from '../../../src/slack/block-kit/elements.js';
import { createResponseUrls } from '../../../src/slack/lookup/response-urls.js';
import { openStore } from '../../../src/workspaces/store.js';
import type { Store } from '../../../src/workspaces/types.js';

const here = { installation: 'T1', team: 'T1' };
const card = message('a card', []);
let folder: string;
let store: Store;
let now = Date.UTC(2026, 2, 1);
let status = 200;
const clock: Clock = { ...systemClock, now: () => now };
const posts: unknown[] = [];
const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  let body = '';
  request.on('data', (piece) => {
    body += piece;
  });
  request.on('end', () => {
    posts.push(JSON.parse(body));
    response.writeHead(status).end();
  });
});
let url = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scandesk-places-'));
  store = await openStore({
    url: `file:${join(folder, 'places.db')}`,
    secretKeys: [Buffer.alloc(32, 1)],
    clock,
    random: systemRandom,
    log: silentLog,
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/response/secret`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const places = () => createResponseUrls({ store, random: systemRandom, log: silentLog });

it('a stored response_url replaces the original card with an ephemeral message', async () => {
  const id = await places().save(here, url);
  expect(await places().update(here, id, card)).toBe(true);
  expect(posts.at(-1)).toMatchObject({ text: 'a card', response_type: 'ephemeral', replace_original: true });
});

it('a stored response_url reports that Slack refuses the card or cannot be reached', async () => {
  const id = await places().save(here, url);
  status = 404;
  expect(await places().update(here, id, card)).toBe(false);
  status = 200;
  const gone = await places().save(here, 'http://127.0.0.1:1/response/secret');
  expect(await places().update(here, gone, card)).toBe(false);
});

it('a stored response_url no longer works after half an hour, nor once the app is uninstalled', async () => {
  const old = await places().save(here, url);
  now += 31 * 60_000;
  expect(await places().update(here, old, card)).toBe(false);
  const id = await places().save(here, url);
  await store.eraseInstallation('T1');
  expect(await places().update(here, id, card)).toBe(false);
});

it('a stored response_url belongs to one workspace, and works for no other', async () => {
  const id = await places().save(here, url);
  expect(await places().update({ installation: 'T2', team: 'T2' }, id, card)).toBe(false);
  const kept = await store.keyv<{ sealed: string }>('card-place').get(`T1:T1:${id}`);
  expect(JSON.stringify(kept)).not.toContain('secret');
  await store.keyv('card-place').set('T2:T2:moved', kept);
  const before = posts.length;
  expect(await places().update({ installation: 'T2', team: 'T2' }, 'moved', card)).toBe(false);
  expect(posts).toHaveLength(before);
});
