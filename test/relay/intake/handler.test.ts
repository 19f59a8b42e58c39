import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.js';
import { StoreError } from '../../../src/database/errors.js';
import { createLog } from '../../../src/log.js';
import { hashSharedSecret, relaySettingsSchema } from '../../../src/relay/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { anyText } from '../../helpers/any-text.js';
import { withTransactions } from '../../helpers/commits.js';
import { onEachDatabase, openTestStore, sqliteDatabases } from '../../helpers/databases.js';
import {
  gate,
  outcomes,
  owner,
  postScan,
  type RelayInput,
  relaysOf,
  scanForm,
  startIntake,
  type TestIntake,
} from '../../helpers/relay.js';
import { receivedOf } from '../../helpers/scans.js';

const document = (status: 0 | 1, text: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<xml><message><status>${status}</status><text>${text}</text></message></xml>`;

onEachDatabase('the intake', (databases) => {
  let store: Store;
  let intake: TestIntake;
  let woken = 0;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    intake = await startIntake(store, {
      onPosts: () => {
        woken += 1;
      },
    });
  });
  afterAll(async () => {
    await intake.close();
    await store.close();
  });

  const newRelay = async (fields: Partial<RelayInput> = {}) => {
    const { relay, path } = await relaysOf(store).create({ ...gate, ...fields });
    return { id: relay.id, url: `${intake.url}${path}` };
  };
  const scansOf = (relayId: string) =>
    store.db.selectFrom('received_scans').selectAll().where('relay_id', '=', relayId).orderBy('id').execute();
  const postsOf = (relayId: string) =>
    store.db.selectFrom('outbox').selectAll().where('source_id', '=', relayId).orderBy('seq').execute();

  it('the intake answers a scan with the contract’s XML document once scan and post are stored', async () => {
    const relay = await newRelay();
    const before = woken;
    const answer = await postScan(relay.url, scanForm({ tid: '00123' }));
    expect(answer).toEqual({ status: 200, type: 'text/xml', body: document(1, 'Received') });
    expect((await scansOf(relay.id)).map(({ tid }) => tid)).toEqual(['00123']);
    expect((await postsOf(relay.id)).map(({ state, channel }) => [state, channel])).toEqual([['pending', 'C0GATE']]);
    expect(woken).toBe(before + 1);
  });

  it('the intake accepts multipart/form-data as it accepts a form, within the same limits', async () => {
    const relay = await newRelay();
    const scan = { tid: ' 00\u001d123\r\n"é" ', sid: '1201', 'answers[7]': 'A & B' };
    const form = new FormData();
    for (const [name, value] of Object.entries(scan)) form.append(name, value);
    const answer = await fetch(relay.url, { method: 'POST', body: form });
    expect([answer.status, await answer.text()]).toEqual([200, document(1, 'Received')]);
    const [stored] = await scansOf(relay.id);
    expect(stored?.tid).toBe(scan.tid);
    expect(JSON.parse(stored!.raw)).toEqual([Object.entries(scan)]);
    form.append('large', 'x'.repeat(64 * 1024));
    expect((await fetch(relay.url, { method: 'POST', body: form })).status).toBe(413);
    const cut = { method: 'POST', body: '--x\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } };
    expect((await fetch(relay.url, cut)).status).toBe(400);
    expect(await scansOf(relay.id)).toHaveLength(1);
  });

  it('the intake stores every variable of any scan unchanged', async () => {
    const relay = await newRelay();
    const text = anyText({ minLength: 1, maxLength: 50 }).filter((value) => !value.includes('\0'));
    await fc.assert(
      fc.asyncProperty(text, text, text, async (tid, name, value) => {
        const body = new URLSearchParams([
          ['tid', tid],
          [`x ${name}`, value],
        ]).toString();
        expect((await postScan(relay.url, body)).status).toBe(200);
        const [found] = await receivedOf(store, owner, tid);
        expect(found?.tid).toBe(tid);
        const stored = (await scansOf(relay.id)).at(-1)!;
        expect(JSON.parse(stored.raw)).toEqual([
          [
            ['tid', tid],
            [`x ${name}`, value],
          ],
        ]);
      }),
      { numRuns: 40 },
    );
  });

  it('the intake keeps a result that the service had decided before it posted the scan', async () => {
    const relay = await newRelay({ notable: 'invalid' });
    const post = async (fields: Record<string, string>) => (await postScan(relay.url, scanForm(fields))).body;
    expect(await post({ status: '1', text: 'Row 5' })).toBe(document(1, 'Row 5'));
    expect(await post({ status: '0', text: 'Used <before> & away' })).toBe(
      document(0, 'Used &lt;before&gt; &amp; away'),
    );
    expect(await post({ status: '-1' })).toMatch(/<status>1</);
    expect(await post({ status: '0', text: '' })).toMatch(/<status>0<\/status><text>[^<]+</);
    expect((await postsOf(relay.id)).length).toBe(2);
  });

  it('the intake gives a repeated scan the same response again, and stores and posts it once', async () => {
    const relay = await newRelay();
    const form = scanForm({ status: '0', text: 'first' });
    const first = await postScan(relay.url, form);
    expect(await postScan(relay.url, { ...form, text: 'second', status: '1' })).toEqual(first);
    expect((await scansOf(relay.id)).length).toBe(1);
    expect((await postsOf(relay.id)).length).toBe(1);
  });

  it('the intake stores 100 equal scans at once as one, and gives all 100 the same response', async () => {
    const relay = await newRelay();
    const form = scanForm();
    const answers = await Promise.all(Array.from({ length: 100 }, () => postScan(relay.url, form)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`))).toEqual(
      new Set([`200 ${document(1, 'Received')}`]),
    );
    expect((await scansOf(relay.id)).length).toBe(1);
    expect((await postsOf(relay.id)).length).toBe(1);
  });

  it('posts of one device’s successive scans are numbered in their order', async () => {
    const relay = await newRelay();
    for (let n = 0; n < 20; n++) {
      await postScan(relay.url, scanForm({ tid: `n${n}` }));
    }
    const scans = new Map((await scansOf(relay.id)).map(({ id, tid }) => [id, tid]));
    expect((await postsOf(relay.id)).map(({ scan_id }) => scans.get(scan_id ?? ''))).toEqual(
      Array.from({ length: 20 }, (_, n) => `n${n}`),
    );
  });

  it('the intake adds a second submit’s answers to its scan', async () => {
    const relay = await newRelay();
    const form = scanForm();
    await postScan(relay.url, form);
    const answer = await postScan(relay.url, { ...form, 'answers[12]': 'yes' });
    expect(answer.body).toBe(document(1, 'Received'));
    const [scan, ...others] = await scansOf(relay.id);
    expect(others).toEqual([]);
    expect(JSON.parse(scan!.answers)).toEqual([{ questionId: '12', answer: 'yes' }]);
    expect((await postsOf(relay.id)).length).toBe(1);
  });

  it('the intake stores with an answer the text of the question that the relay asked', async () => {
    const questions = [{ id: '900000001', text: 'How many bags?', type: 'manualnumeric' }];
    const relay = await newRelay({ settings: relaySettingsSchema.parse({ questions }) });
    const form = scanForm();
    const { body } = await postScan(relay.url, form);
    const scanid = /<scanid>(.*?)</.exec(body)?.[1] ?? '';
    await postScan(relay.url, { ...form, scanid, 'answers[900000001]': '3' });
    const [scan] = await scansOf(relay.id);
    expect(JSON.parse(scan!.answers)).toEqual([{ questionId: '900000001', question: 'How many bags?', answer: '3' }]);
  });

  it('the intake finds a second submit’s scan by the ID in the first response, if device and time differ', async () => {
    const settings = relaySettingsSchema.parse({
      duplicates: {},
      questions: [{ id: '900000001', text: 'How many bags?', type: 'manualnumeric' }],
    });
    const relay = await newRelay({ settings });
    const form = scanForm();
    const { body } = await postScan(relay.url, form);
    const scanid = /<scanid>(.*?)</.exec(body)?.[1] ?? '';
    const later = {
      ...form,
      scanid,
      scanned_at_utc: '2026-05-02 00:00:00',
      udid: 'DEVICE-1',
      'answers[900000001]': '3',
    };
    expect((await postScan(relay.url, later)).body).toBe(document(1, 'Received'));
    const [scan, ...others] = await scansOf(relay.id);
    expect(others).toEqual([]);
    expect(JSON.parse(scan!.answers)).toMatchObject([{ answer: '3' }]);
  });

  it('a former secret property is not stored, unless the relay reads the barcode or device from it', async () => {
    const relay = await newRelay();
    const call = (name: string) =>
      relaySettingsSchema.parse({ secretProperty: { name, hash: hashSharedSecret('canary-12') } });
    for (const name of ['gate_key', 'udid', 'barcode']) {
      await relaysOf(store).change(owner, relay.id, { settings: call(name) });
    }
    const settings = relaySettingsSchema.parse({ names: { tid: 'barcode' } });
    await relaysOf(store).change(owner, relay.id, { settings });
    const { tid, ...form } = scanForm({ gate_key: 'canary-12', 'gate_key[]': 'canary-12', gate_keys: 'none' });
    expect((await postScan(relay.url, { ...form, barcode: tid! })).status).toBe(200);
    const [scan] = await scansOf(relay.id);
    expect(scan).toMatchObject({ tid, udid: 'device-1' });
    expect(JSON.parse(scan!.properties)).toEqual([{ name: 'gate_keys', value: 'none' }]);
    expect(JSON.stringify(scan)).not.toContain('canary');
  });

  it('the intake stores scans of a paused relay and responds to them, and their posts wait', async () => {
    const relay = await newRelay();
    await relaysOf(store).pause(owner, relay.id);
    expect((await postScan(relay.url, scanForm())).status).toBe(200);
    expect((await scansOf(relay.id)).length).toBe(1);
    expect((await relaysOf(store).get(owner, relay.id))?.pending).toBe(1);
  });

  it('the intake stores scans of a service that is not the relay’s and responds to them, without a post', async () => {
    const relay = await newRelay({ serviceIds: ['101', '102'] });
    await postScan(relay.url, scanForm({ sid: '101' }));
    expect((await postScan(relay.url, scanForm({ sid: '999' }))).status).toBe(200);
    const { sid: _, ...unnamed } = scanForm();
    await postScan(relay.url, unnamed);
    expect((await scansOf(relay.id)).length).toBe(3);
    expect((await postsOf(relay.id)).length).toBe(2);
  });

  describe('the response to a scan that the intake does not store', () => {
    const silent = async (answer: Promise<{ status: number; body: string; type: string | null }>, status: number) => {
      const { body, type, ...rest } = await answer;
      expect({ ...rest, body, type }).toEqual({ status, body: '', type: null });
    };

    it('a scan for an unknown relay, with a wrong secret or at a wrong path gets 404 without a body', async () => {
      const relay = await newRelay();
      await silent(postScan(`${relay.url}x`, scanForm()), 404);
      await silent(postScan(`${intake.url}/relay/nobody/${relay.url.split('/').at(-1)}`, scanForm()), 404);
      await silent(postScan(`${relay.url}/more`, scanForm()), 404);
      await silent(postScan(`${intake.url}/relay/`, scanForm()), 404);
      const other = await newRelay();
      await silent(postScan(`${intake.url}/relay/${other.id}/${relay.url.split('/').at(-1)}`, scanForm()), 404);
      expect((await scansOf(relay.id)).length).toBe(0);
    });

    it('scans for a removed relay or with a revoked secret get 404 at once after accepted scans', async () => {
      const relay = await newRelay();
      await postScan(relay.url, scanForm());
      const { path } = await relaysOf(store).addSecret(owner, relay.id);
      const [old] = (await relaysOf(store).get(owner, relay.id))!.secrets;
      expect((await postScan(`${intake.url}${path}`, scanForm())).status).toBe(200);
      expect((await postScan(relay.url, scanForm())).status).toBe(200);
      await relaysOf(store).revokeSecret(owner, relay.id, old!.id);
      await silent(postScan(relay.url, scanForm()), 404);
      expect((await postScan(`${intake.url}${path}`, scanForm())).status).toBe(200);
      await relaysOf(store).remove(owner, relay.id);
      await silent(postScan(`${intake.url}${path}`, scanForm()), 404);
      expect((await scansOf(relay.id)).length).toBe(4);
    });

    it('a request body that is ambiguous, has no barcode or is no form is refused with 400', async () => {
      const relay = await newRelay();
      await silent(postScan(relay.url, 'tid=%E9'), 400);
      await silent(postScan(relay.url, 'tid=a%00b'), 400);
      await silent(postScan(relay.url, 'tid='), 400);
      await silent(postScan(relay.url, 'sid=1'), 400);
      await silent(postScan(relay.url, ''), 400);
      for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
        const answer = await fetch(relay.url, { method: 'POST', headers: { 'content-type': type }, body: 'tid=x' });
        expect([answer.status, await answer.text()]).toEqual([400, '']);
      }
      expect(await scansOf(relay.id)).toEqual([]);
    });

    it('a request body over 64 KB gets 413, with or without Content-Length; exactly 64 KB is accepted', async () => {
      const relay = await newRelay();
      const most = 64 * 1024;
      expect((await postScan(relay.url, `tid=${'x'.repeat(most - 4)}`)).status).toBe(200);
      await silent(postScan(relay.url, `tid=${'x'.repeat(most - 3)}`), 413);
      await silent(postScan(relay.url, `tid=${'x'.repeat(most * 8)}`), 413);
      const chunks = async function* () {
        for (let n = 0; n < 20; n++) {
          yield Buffer.from(`tid${n}=${'x'.repeat(5_000)}&`);
        }
      };
      const unannounced = await fetch(relay.url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: chunks() as never,
        duplex: 'half',
      } as RequestInit);
      expect([unannounced.status, await unannounced.text()]).toEqual([413, '']);
      expect((await scansOf(relay.id)).length).toBe(1);
    });

    it('a GET request to a relay’s webhook URL is refused with 405', async () => {
      const relay = await newRelay();
      const answer = await fetch(relay.url);
      expect([answer.status, answer.headers.get('allow'), await answer.text()]).toEqual([405, 'POST', '']);
    });
  });

  it('the intake survives senders that disconnect mid-request, and counts each scan by its outcome', async () => {
    const relay = await newRelay();
    const { port, hostname, pathname } = new URL(relay.url);
    for (const part of ['tid=', 'tid=abc&sid']) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(
        `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\n${part}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.destroy();
    }
    expect((await postScan(relay.url, scanForm())).status).toBe(200);
    await expect.poll(async () => (await outcomes(intake.metrics))['relay.body_cut']).toBe(2);
    const counted = await outcomes(intake.metrics);
    expect(counted.accepted).toBeGreaterThan(10);
    expect(counted.repeat).toBeGreaterThanOrEqual(100);
    expect(counted.unknown).toBeGreaterThan(5);
    expect((await scansOf(relay.id)).length).toBe(1);
  });
});

describe('the intake in trouble', () => {
  const databases = sqliteDatabases();
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  const start = async (options: Parameters<typeof startIntake>[1] = {}, around?: (store: Store) => Store) => {
    const store = await openTestStore(await databases.fresh());
    closing.push(() => store.close());
    const intake = await startIntake(around?.(store) ?? store, options);
    closing.push(() => intake.close());
    const { relay, path } = await relaysOf(store).create(gate);
    return { store, intake, id: relay.id, url: `${intake.url}${path}` };
  };

  it('the intake refuses scans over a relay’s rate with 429, and accepts scans again later', async () => {
    let now = 1_000;
    const clock = { ...systemClock, now: () => now };
    const { url, store } = await start({ rate: { perSecond: 2, burst: 3 }, clock });
    const post = async () => (await postScan(url, scanForm())).status;
    expect([await post(), await post(), await post(), await post()]).toEqual([200, 200, 200, 429]);
    now += 500;
    expect([await post(), await post()]).toEqual([200, 429]);
    expect((await store.db.selectFrom('received_scans').select('id').execute()).length).toBe(4);
  });

  it('the intake writes one log line when it refuses 50 scans of one sender at once', async () => {
    const lines: string[] = [];
    const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } });
    const { url, intake } = await start({ log });
    const refused = await Promise.all(Array.from({ length: 50 }, () => postScan(url, 'x=1')));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([400]));
    expect((await outcomes(intake.metrics))['relay.no_barcode']).toBe(50);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: 'a scan was refused', code: 'relay.no_barcode', sender: '127.0.0.1' },
    ]);
  });

  it('the intake refuses with 408 a request whose body does not arrive in time', async () => {
    const { url, intake } = await start({ body: { timeoutMs: 200 } });
    const { port, hostname, pathname } = new URL(url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.write(
      `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\ntid=`,
    );
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
    expect((await outcomes(intake.metrics))['relay.body_slow']).toBe(1);
  });

  it.each(['store.full', 'store.unavailable', 'store.failed'] as const)(
    'the intake responds 503 without a body while the store fails with %s, and accepts scans afterwards',
    async (code) => {
      let broken = false;
      const { url, id, store } = await start({}, (real) =>
        withTransactions(real, (run) => (broken ? Promise.reject(new StoreError(code, 'as the test asked')) : run())),
      );
      broken = true;
      const answers = await Promise.all(Array.from({ length: 5 }, () => postScan(url, scanForm())));
      expect(answers.map(({ status, body, type }) => [status, body, type])).toEqual(Array(5).fill([503, '', null]));
      broken = false;
      expect((await postScan(url, scanForm())).status).toBe(200);
      expect((await relaysOf(store).get(owner, id))?.scans).toBe(1);
    },
  );

  it('the intake accepts a scan after two attempts at which the store was busy', async () => {
    let busy = 2;
    const { url } = await start({}, (real) =>
      withTransactions(real, (run) =>
        busy-- > 0 ? Promise.reject(new StoreError('store.busy', 'as the test asked')) : run(),
      ),
    );
    expect((await postScan(url, scanForm())).status).toBe(200);
    expect(busy).toBeLessThan(0);
  });

  it('the intake commits scans together that arrive at the same time', async () => {
    let commits = 0;
    const { url } = await start({}, (real) =>
      withTransactions(real, (run) => {
        commits += 1;
        return run();
      }),
    );
    const { port, hostname, pathname } = new URL(url);
    const socket = connect(Number(port), hostname);
    const bodies = Array.from({ length: 40 }, () => new URLSearchParams(scanForm()).toString());
    let answers = '';
    socket.on('data', (chunk) => {
      answers += chunk;
    });
    socket.write(
      bodies
        .map(
          (body) =>
            `POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        )
        .join(''),
    );
    await expect.poll(() => answers.match(/200 OK/g)?.length).toBe(40);
    socket.destroy();
    expect(commits).toBeGreaterThan(0);
    expect(commits).toBeLessThan(20);
  });
});
