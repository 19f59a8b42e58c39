/**
 * The previous version, as far as Slack and the databases know it: its messages are in the workspace's file, and a
 * stand-in for its process opens its views, then hands over to the app.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DatabaseSync } from '@photostructure/sqlite';
import { parse } from 'yaml';
import { type Clock, systemClock, systemRandom } from '../../src/clock.js';
import type { StoreKind } from '../../src/database/types.js';
import { silentLog } from '../../src/log.js';
import type { ShownView } from '../../src/sandbox/slack/api.js';
import { createWorkspace } from '../../src/sandbox/slack/index.js';
import { botToken, type Person, type TestApp } from '../slack/test-app.js';
import { restorePostgres } from './postgres-dump.js';

const folder = resolve(import.meta.dirname, '1.0.0');

export const fixture = (name: string): Buffer => gunzipSync(readFileSync(resolve(folder, name)));

type Row = Readonly<Record<string, string | number | null>>;

export const oldViews = (): readonly ShownView[] => JSON.parse(fixture('views.json.gz').toString()).views;

/** `at`: when the database was left, in Unix milliseconds. `paths`: the paths of its relays, by name. */
export const leftBehind = (
  kind: StoreKind,
): { readonly at: number; readonly paths: Readonly<Record<string, string>> } =>
  JSON.parse(readFileSync(resolve(folder, `${kind}.json`), 'utf8'));

/** A clock that continues from then, so that what is stored for hours or a day has not expired. */
export function clockSince(then: number): Clock {
  const behind = Date.now() - then;
  return { ...systemClock, now: () => systemClock.now() - behind };
}

/** Restores the recorded dump of that database kind into an empty database. */
export async function restoreDatabase(kind: StoreKind, url: string): Promise<void> {
  if (kind === 'sqlite') {
    writeFileSync(url.slice('file:'.length), fixture('scandesk.db.gz'));
    return;
  }
  await restorePostgres(url, JSON.parse(fixture('postgres-rows.json.gz').toString()));
}

/** Writes the recorded messages into a workspace's file. */
export async function writeOldWorkspace(file: string): Promise<void> {
  const manifest = parse(readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8'));
  const workspace = await createWorkspace({
    ...{ file, manifest, botToken, signingSecret: '-', clientId: '-', clientSecret: '-' },
    ...{ clock: systemClock, random: systemRandom, log: silentLog },
  });
  await workspace.close();
  const tables = JSON.parse(fixture('messages.json.gz').toString()) as Record<string, Row[]>;
  const database = new DatabaseSync(file);
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) {
      const names = Object.keys(row);
      database
        .prepare(`INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
        .run(...Object.values(row));
    }
  }
  database.close();
}

export interface OldProcess {
  /** Opens a recorded view for a person, as the previous version did. */
  open(person: Person, view: ShownView): Promise<void>;
  close(): Promise<void>;
}

export async function startOldProcess(testApp: TestApp): Promise<OldProcess> {
  let arrived: (trigger: string) => void = () => undefined;
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      response.end();
      // Events come here too, without a trigger id.
      const trigger = new URLSearchParams(text).get('trigger_id');
      if (trigger !== null) {
        arrived(trigger);
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const call = async (method: string, body: object): Promise<void> => {
    const response = await fetch(`${testApp.slackUrl}/api/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', authorization: `Bearer ${botToken}` },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { ok: boolean };
    if (!answer.ok) {
      throw new Error(`${method}: ${JSON.stringify(answer)}`);
    }
  };

  return {
    async open(person, { view }) {
      if (view.type === 'home') {
        await call('views.publish', { user_id: person.id, view });
        return;
      }
      const trigger = new Promise<string>((done) => {
        arrived = done;
      });
      testApp.setAppUrl(url);
      try {
        await person.say('/scandesk relay');
        await call('views.open', { trigger_id: await trigger, view });
      } finally {
        testApp.setAppUrl(testApp.appUrl);
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
