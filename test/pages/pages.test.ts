import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '../../src/clock.js';
import { AccountError, type Accounts } from '../../src/codereadr/types.js';
import { createLog } from '../../src/log.js';
import type { Owner } from '../../src/ownership.js';
import { historyPage } from '../../src/pages/history.js';
import {
  createPageAccess,
  createPages,
  type KnownBarcode,
  type PageAccess,
  type PagePaths,
} from '../../src/pages/index.js';
import { relaySettingsSchema } from '../../src/relay/index.js';
import type { Store } from '../../src/workspaces/types.js';
import { anyText } from '../helpers/any-text.js';
import { openTestStore, sqliteDatabases } from '../helpers/databases.js';
import { effort } from '../helpers/effort.js';
import { gate, owner, postScan, relaysOf, scanForm, startIntake, stranger, type TestIntake } from '../helpers/relay.js';

/** No account is connected in these tests, so that nobody opens one. */
const accounts: Pick<Accounts, 'open'> = {
  open: () => {
    throw new Error('no account here');
  },
};

const known = (more: Partial<KnownBarcode> = {}): KnownBarcode => ({
  value: 'A-1',
  headline: { tone: 'good', title: 'Valid, no admission on record', notes: [] },
  findings: [{ kind: 'known', database: { name: 'Tickets' }, valid: true, response: 'Welcome' }],
  history: { kind: 'read', scans: [] },
  ...more,
});

describe('the pages of a device', () => {
  const databases = sqliteDatabases();
  const lines: string[] = [];
  let store: Store;
  let access: PageAccess;
  let intake: TestIntake;
  let base: string;
  let relayId: string;
  let relayPath: string;
  let paths: PagePaths;
  let answer: (owner: Owner, value: string) => Promise<KnownBarcode | undefined>;
  const asked: string[] = [];
  const server = createServer({ keepAliveTimeout: 65_000 });

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    const log = createLog({ level: 'debug', destination: { write: (line: string) => lines.push(line) } });
    access = createPageAccess({ store, clock: systemClock, random: systemRandom });
    const pages = createPages({
      store,
      access,
      accounts,
      clock: systemClock,
      log,
      lookUp: (of, value) => {
        asked.push(value);
        return answer(of, value);
      },
      rate: { lookup: { perSecond: 0.001, burst: 200 } },
    });
    server.on('request', pages.handle).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    intake = await startIntake(store, { log });
    const made = await relaysOf(store).create(gate);
    relayId = made.relay.id;
    relayPath = made.path;
    paths = await access.make(owner, relayId);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await intake?.close();
    await store?.close();
  });

  const get = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(base + path, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const scan = async (fields: Record<string, string>) => {
    expect(await postScan(intake.url + relayPath, scanForm(fields))).toMatchObject({ status: 200 });
  };
  const lookup = (value: string) => get(`${paths.lookup}?${new URLSearchParams({ value })}`);

  it('the page of a device shows the device’s own last scans, newest first, and no other device’s', async () => {
    await scan({ tid: '00123', udid: 'mine', status: '1', text: 'Welcome' });
    await scan({
      tid: '00124',
      udid: 'mine',
      status: '0',
      text: 'Already in',
      'questions[7]': 'Bag?',
      'answers[7]': 'a|^|b',
    });
    await scan({ tid: 'others', udid: 'theirs' });
    const { status, text } = await get(`${paths.history}?udid=mine`);
    expect(status).toBe(200);
    expect(text.indexOf('00124')).toBeGreaterThan(0);
    expect(text.indexOf('00123')).toBeGreaterThan(text.indexOf('00124'));
    expect(text).toContain('✓ Valid</span> · Welcome');
    expect(text).toContain('✗ Not valid</span> · Already in');
    expect(text).toContain('Bag?: a, b');
    expect(text).not.toContain('others');
  });

  it('the page of a device shows no scan of another relay', async () => {
    const other = await relaysOf(store).create(gate);
    await postScan(intake.url + other.path, scanForm({ tid: 'elsewhere', udid: 'mine' }));
    expect((await get(`${paths.history}?udid=mine`)).text).not.toContain('elsewhere');
    const foreign = await relaysOf(store).create({ ...gate, owner: stranger });
    await postScan(intake.url + foreign.path, scanForm({ tid: 'foreign', udid: 'mine' }));
    expect((await get(`${paths.history}?udid=mine`)).text).not.toContain('foreign');
  });

  it('the page of a device calls a scan not checked only if the relay did not validate it either', async () => {
    const unable = { tid: 'unable', udid: 'unable', status: '-1', text: 'No connection' };
    await scan(unable);
    const open = async (path: string) => (await get(`${path}?udid=unable`)).text;
    expect(await open(paths.history)).toContain('? Admitted, not checked</span> · No connection');
    const settings = relaySettingsSchema.parse({ judging: { kind: 'list', values: ['unable'] } });
    const judging = await relaysOf(store).create({ ...gate, settings });
    await postScan(intake.url + judging.path, scanForm(unable));
    const text = await open((await access.make(owner, judging.relay.id)).history);
    expect(text).toContain('✓ Valid');
    expect(text).not.toContain('not checked');
  });

  it('the page of a device shows times in the device’s zone, and in UTC without one', async () => {
    const at = '2026-05-01 12:00:00';
    await scan({ tid: 'berlin', udid: 'zoned', time_zone: 'Europe/Berlin', scanned_at_utc: at });
    await scan({ tid: 'nowhere', udid: 'unzoned', time_zone: 'Mars/Base', scanned_at_utc: at });
    expect((await get(`${paths.history}?udid=zoned`)).text).toContain('14:00:00');
    expect((await get(`${paths.history}?udid=unzoned`)).text).toContain('12:00:00 UTC');
  });

  const refused = {
    status: 'invalid',
    result: 'Already in',
    at: Date.UTC(2026, 4, 1, 12),
    atText: '2026-05-01 12:00:00',
    service: { name: 'Gate A' },
    device: { name: 'Phone 3' },
    user: { name: 'ada' },
  } as const;

  it('a look-up page shows times in the zone of the device’s newest scan or of the relay’s hours, and names it', async () => {
    const scanAt = { ...refused, at: Date.UTC(2026, 4, 1, 12) };
    answer = async () => known({ history: { kind: 'read', scans: [scanAt] } });
    await scan({ tid: 'zone', udid: 'at the gate', time_zone: 'America/Lima' });
    const seen = await get(`${paths.lookup}?value=A-1&udid=${encodeURIComponent('at the gate')}`);
    expect(seen.text).toMatch(/07:00:00 ·.*Times: Lima/s);
    expect(seen.text).not.toContain('UTC');
    const hours = { zone: 'Asia/Tokyo', days: [1], from: '08:00', to: '18:00' };
    const settings = relaySettingsSchema.parse({ hours });
    const other = await relaysOf(store).create({ ...gate, settings });
    const page = (await access.make(owner, other.relay.id)).lookup;
    expect((await get(`${page}?value=A-1`)).text).toMatch(/21:00:00 ·.*Times: Tokyo/s);
    const none = (await access.make(owner, (await relaysOf(store).create(gate)).relay.id)).lookup;
    expect((await get(`${none}?value=A-1`)).text).toMatch(/12:00:00 UTC ·/);
  });

  it('the page of a device asks which device to show where the URL names no device', async () => {
    await scan({ tid: 'SCANDESK-TEST-X', udid: 'scandesk-test', scandesk_test: '1' });
    const { text } = await get(paths.history);
    expect(text).toContain('Which device is yours?');
    expect(text).toContain('href="?udid=mine"');
    expect(text).not.toContain('scandesk-test');
  });

  it('the page of a device says among how many scans it searched, and that it shows the last 30', () => {
    const said = (scans: number) => {
      const one = { tid: 'T', at: 0, receivedAt: 0, valid: true, text: '', answers: [], properties: [] };
      const page = { udid: 'd', scans: Array(scans).fill(one), searched: 50_000, validates: true, now: 0 };
      return historyPage({ ...page, nameOf: (_, id) => id }).body.html;
    };
    expect(said(0)).toContain('No scans from this device among the last 50,000 scans.');
    expect(said(2)).toContain('Showing those among the last 50,000 scans.');
    expect(said(31)).toContain('Showing the last 30.');
  });

  it('the page of a device says that the device has not scanned yet', async () => {
    expect((await get(`${paths.history}?udid=new`)).text).toContain('No scans from this device yet.');
  });

  it('the page of a device escapes scanned text, and shows a barcode letter by letter', async () => {
    const evil = `<script>alert(1)</script>"'&amp; \u202e\u001d x`;
    await scan({ tid: evil, udid: '"><img src=x>', text: '<b>bold</b>', status: '1', 'answers[<i>]': '<u>' });
    const { text } = await get(`${paths.history}?${new URLSearchParams({ udid: '"><img src=x>' })}`);
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;amp; ⟨U+202E⟩␝ x');
    expect(text).not.toMatch(/<(script|img|b|u|i)\b/);
  });

  it('the page of a device opens with the chosen device in its lookup form, and looks up nothing', async () => {
    asked.length = 0;
    const { status, text } = await get(`${paths.lookup}?udid=mine`);
    expect(status).toBe(200);
    expect(text).toContain('<input type="hidden" name="udid" value="mine">');
    expect(asked).toEqual([]);
  });

  it('the page of a device shows the result of a looked-up barcode in plain words', async () => {
    answer = async () =>
      known({
        headline: { tone: 'unsure', title: 'Valid in Tickets, not valid in <Blocked>', notes: [] },
        findings: [
          { kind: 'known', database: { name: 'Tickets' }, valid: true, response: 'Welcome <in>' },
          { kind: 'known', database: { name: 'Blocked' }, valid: false, response: '' },
          { kind: 'unknown', database: { name: 'Crew' }, similar: ['a-1 '] },
          { kind: 'failed', database: { name: 'Late' } },
        ],
        history: { kind: 'read', scans: [refused] },
      });
    const { text } = await lookup('A-1');
    expect(text).toContain('! Valid in Tickets, not valid in &lt;Blocked&gt;');
    expect(text).toContain('Valid</span> · Welcome &lt;in&gt;');
    expect(text).toContain('Couldn’t be searched.');
    expect(text).toContain('✗ Not valid</span> · Already in');
    expect(text).toContain('Gate A · ada · Phone 3');
    expect(text).not.toContain('Crew');
  });

  it('the page of a device says first when, where and by whom a barcode was used', async () => {
    const scan = { ...refused, status: 'valid' } as const;
    const notes = ['1 scan not valid since then.', 'Not used yet at Gate <B>.'];
    const headline = {
      tone: 'bad',
      title: 'Already used at Gate A',
      scan: { label: 'Admitted', scan },
      notes,
    } as const;
    answer = async () => known({ headline });
    const { text } = await lookup('A-1');
    const said = text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    expect(said).toMatch(
      /A-1 ✗ Already used at Gate A Admitted 1 May(?: 2026)?, \d\d:00:00(?: UTC)? · Gate A · ada · Phone 3 1 scan not valid since then. Not used yet at Gate &lt;B&gt;. Tickets/,
    );
  });

  it('the page of a device shows the age of an old copy’s result that the account did not confirm', async () => {
    const dated = { before: 'Valid ', at: Date.UTC(2020, 4, 1, 9, 12), after: ', not confirmed' };
    answer = async () => known({ headline: { tone: 'unsure', title: 'Valid, not confirmed', dated, notes: [] } });
    const { text } = await lookup('A-1');
    expect(text).toMatch(/! Valid as of 1 May 2020, \d\d:12:00(?: UTC)?, not confirmed/);
  });

  it('the page of a device names the database that lacks an unknown barcode, and shows similar barcodes', async () => {
    const headline = {
      tone: 'unknown',
      title: 'Unknown: not in Crew',
      notes: [],
    } as const;
    answer = async () =>
      known({ headline, findings: [{ kind: 'unknown', database: { name: 'Crew' }, similar: ['a-1 '] }] });
    const { text } = await lookup('A-1');
    expect(text).toContain('? Unknown: not in Crew');
    expect(text).toContain('Not found. Similar barcodes:');
  });

  it('the page of a device looks up exactly the entered barcode', async () => {
    answer = async () => known();
    await fc.assert(
      fc.asyncProperty(
        anyText({ minLength: 1, maxLength: 60 }).filter((text) => !text.includes('\0')),
        async (value) => {
          asked.length = 0;
          const { status } = await lookup(value);
          expect(status).toBe(200);
          expect(asked).toEqual([value.replace(/\\x1d/gi, '\u001d')]);
        },
      ),
      { numRuns: effort({ short: 12, long: 60 }) },
    );
  });

  it('the page of a device reads a typed \\x1d as the GS1 separator, and shows it as typed in the box', async () => {
    answer = async () => known();
    asked.length = 0;
    const { text } = await lookup('01012\\x1d10A');
    expect(asked).toEqual(['01012\u001d10A']);
    expect(text).toContain('value="01012\\x1d10A"');
    expect(text).toContain('01012␝10A');
  });

  it.each([
    ['%ff', 400],
    ['a%00b', 400],
    ['x'.repeat(5_000), 400],
  ])('the page of a device refuses an impossible barcode without a lookup: %.10s', async (value, status) => {
    asked.length = 0;
    expect((await get(`${paths.lookup}?value=${value}`)).status).toBe(status);
    expect(asked).toEqual([]);
  });

  it('the page of a device says why nothing can be looked up, with HTTP status 503', async () => {
    answer = async () => undefined;
    expect(await lookup('A-1')).toMatchObject({ status: 503, text: expect.stringContaining('No scanning account') });
    answer = () => Promise.reject(new AccountError('account.quota', 'used up'));
    expect(await lookup('A-1')).toMatchObject({ status: 503, text: expect.stringContaining('calls are used up') });
    answer = () => Promise.reject(new AccountError('account.slow', 'slow'));
    expect(await lookup('A-1')).toMatchObject({ status: 503, text: expect.stringContaining('couldn’t be looked up') });
    answer = () => Promise.reject(new Error('a bug'));
    expect(await lookup('A-1')).toMatchObject({ status: 503, text: expect.stringContaining('Something went wrong') });
  });

  it('the page of a device is not cached, cannot be framed, and runs no script', async () => {
    for (const path of [paths.history, paths.lookup, `/pages/${relayId}/wrong/history`]) {
      const { headers } = await get(path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; /);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
    }
  });

  it('the page of a device can only be read with GET', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
      const { status, headers } = await get(paths.history, { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET']);
    }
  });

  it('each page of a device opens with its own secret alone, and a relay accepts no scan with the secret', async () => {
    const [, , , history] = paths.history.split('/');
    const [, , , search] = paths.lookup.split('/');
    const [, , , relay] = relayPath.split('/');
    expect(new Set([history, search, relay]).size).toBe(3);
    for (const path of [
      `/pages/${relayId}/${history}/lookup`,
      `/pages/${relayId}/${search}/history`,
      `/pages/${relayId}/${relay}/history`,
      `/pages/other/${history}/history`,
      `/pages/${relayId}/${history}/`,
      `/pages/${relayId}/${history}/history/more`,
      '/pages/',
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
    for (const secret of [history, search]) {
      const posted = await postScan(`${intake.url}/relay/${relayId}/${secret}`, scanForm());
      expect(posted).toMatchObject({ status: 404, body: '' });
    }
  });

  it('each URL of a device’s page works until it is revoked or its relay is removed', async () => {
    const { relay } = await relaysOf(store).create(gate);
    const first = await access.make(owner, relay.id);
    const second = await access.make(owner, relay.id);
    expect((await access.madeAt(owner, relay.id)).length).toBe(2);
    for (const path of [first.history, second.history]) {
      expect((await get(path)).status).toBe(200);
    }
    expect(await access.madeAt(stranger, relay.id)).toEqual([]);
    expect(await access.end(owner, relay.id)).toBe(2);
    expect((await get(second.history)).status).toBe(404);
    const third = await access.make(owner, relay.id);
    expect((await get(third.lookup)).status).toBe(200);
    await relaysOf(store).remove(owner, relay.id);
    expect((await get(third.lookup)).status).toBe(404);
  });

  it('the pages of one relay cannot use up the API calls of other relays’ pages', async () => {
    const { relay } = await relaysOf(store).create(gate);
    const pages = createPages({
      store,
      access,
      accounts,
      clock: systemClock,
      log: createLog({ level: 'silent' }),
      lookUp: async () => known(),
      rate: { lookup: { perSecond: 0.001, burst: 2 }, history: { perSecond: 0.001, burst: 1 } },
    });
    const own = createServer({ keepAliveTimeout: 65_000 }, pages.handle).listen(0, '127.0.0.1');
    await once(own, 'listening');
    const url = `http://127.0.0.1:${(own.address() as AddressInfo).port}`;
    try {
      const made = await access.make(owner, relay.id);
      const statuses = [];
      for (let n = 0; n < 3; n++) {
        statuses.push((await fetch(`${url}${made.lookup}?value=x`)).status);
      }
      expect(statuses).toEqual([200, 200, 429]);
      expect((await fetch(`${url}${paths.lookup}?value=x`)).status).toBe(200);
      expect((await fetch(`${url}${made.history}`)).status).toBe(200);
      const late = await fetch(`${url}${made.history}`);
      expect([late.status, late.headers.get('retry-after')]).toEqual([429, '2']);
    } finally {
      own.closeAllConnections();
      own.close();
    }
  });

  it('the pages of devices still work after a request whose path is not a URL', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.end('GET /pages/%zz/\xff?value=%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'latin1');
    socket.resume();
    await once(socket, 'close');
    expect((await get(paths.history)).status).toBe(200);
  });

  it('no secret of a device’s page is in the log or the store', async () => {
    const secrets = [paths.history, paths.lookup].map((path) => path.split('/')[3]!);
    const kept = JSON.stringify(await store.db.selectFrom('keyv').selectAll().execute());
    for (const secret of secrets) {
      expect(lines.filter((line) => line.includes(secret))).toEqual([]);
      expect(kept).not.toContain(secret);
    }
  });
});
