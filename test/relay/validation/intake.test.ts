import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/clock.js';
import { systemClock } from '../../../src/clock.js';
import {
  createIpAllowList,
  hashSharedSecret,
  type RelaySettings,
  relaySettingsSchema,
} from '../../../src/relay/index.js';
import { createScanStore } from '../../../src/scans/received/received-scan-rows.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import {
  gate,
  outcomes,
  owner,
  postScan,
  relaysOf,
  scanForm,
  startIntake,
  type TestIntake,
} from '../../helpers/relay.js';

type Input = Parameters<typeof relaySettingsSchema.parse>[0];

onEachDatabase('a relay with settings', (databases) => {
  let store: Store;
  let intake: TestIntake;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    intake = await startIntake(store, { proxies: createIpAllowList(['127.0.0.1']) });
  });
  afterAll(async () => {
    await intake.close();
    await store.close();
  });

  const newRelay = async (settings: Input) => {
    const parsed = relaySettingsSchema.parse(settings) as RelaySettings;
    const { relay, path } = await relaysOf(store).create({ ...gate, settings: parsed });
    return { id: relay.id, url: `${intake.url}${path}` };
  };
  const scansOf = async (relayId: string) =>
    (await createScanStore(store.db).ofRelay(owner, relayId, { limit: 100 })).scans;
  const rawOf = async (relayId: string) =>
    (await store.db.selectFrom('received_scans').select('raw').where('relay_id', '=', relayId).execute()).map(
      ({ raw }) => raw,
    );
  const empty = (status: number) => ({ status, type: null, body: '' });
  const postFrom = async (url: string, forwarded: string) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': forwarded },
      body: new URLSearchParams(scanForm()).toString(),
    });
    return { status: response.status, body: await response.text() };
  };

  it('a relay’s response has its own text, heading and color, and a repeated scan gets the same response', async () => {
    const { url } = await newRelay({
      duplicates: {},
      answers: {
        valid: { text: 'In: {value}', title: 'Come in', color: '#00aa00' },
        duplicate: { text: '<html><p>{value} & {count}</p></html>', kind: 'page' },
      },
    });
    const form = scanForm({ tid: 'A<B' });
    const first = await postScan(url, form);
    expect(first.body).toContain(
      '<status>1</status><text>In: A&lt;B</text><scan_display_config>{"status_title_default"',
    );
    expect(await postScan(url, form)).toEqual(first);
    const again = await postScan(url, scanForm({ tid: 'A<B' }));
    expect(again.body).toContain(
      '<status>0</status><text>&lt;html&gt;&lt;p&gt;A&amp;lt;B & 2&lt;/p&gt;&lt;/html&gt;</text>'.replace(
        ' & ',
        ' &amp; ',
      ),
    );
  });

  it('a relay asks a question in its response, and answers the second submit without a new question', async () => {
    const { id, url } = await newRelay({
      questions: [{ id: '12', text: 'Seat?', type: 'option', answers: ['Left', 'Right'] }],
    });
    const form = scanForm({ tid: 'Q-1', device_timestamp: 'x' });
    const first = await postScan(url, form);
    const scanid = /<scanid>(\w+)<\/scanid>/.exec(first.body)?.[1] ?? '';
    expect(first.body).toContain(
      '<question id="12" type="option" condition="post_submit"><text>Seat?</text><answer id="1">Left</answer>',
    );
    // The answer was lost: the device posts again, and is asked again.
    expect((await postScan(url, form)).body).toBe(first.body);

    const second = { ...form, scanid, 'answers[12]': 'Left' };
    for (const _ of ['in time', 'again']) {
      const { body } = await postScan(url, second);
      expect(body).toContain('<status>1</status><text>Received</text></message>');
    }
    const scans = await scansOf(id);
    expect(scans.map(({ tid, answers }) => [tid, answers])).toEqual([
      ['Q-1', [{ questionId: '12', question: 'Seat?', answer: 'Left' }]],
    ]);
    // A repeated first submit is not asked a question that was answered since.
    expect((await postScan(url, form)).body).not.toContain('<question');
  });

  it('scans with the account’s ID get no Scandesk ID; scans that the account validated get no question', async () => {
    const { url } = await newRelay({ questions: [{ id: '12', text: 'Seat?', type: 'manual' }] });
    const postback = await postScan(url, scanForm({ scanid: '555' }));
    expect(postback.body).toContain('<question id="12"');
    expect(postback.body).not.toContain('<scanid>');
    expect((await postScan(url, scanForm({ scanid: '556', status: '1', text: 'Hi' }))).body).not.toContain('<question');
  });

  it('a second submit without the fields of the repeat key completes its scan by the ID of the response', async () => {
    const { id, url } = await newRelay({ questions: [{ id: '1', text: 'How many?', type: 'manualnumeric' }] });
    const first = await postScan(url, { tid: 'bare' });
    const scanid = /<scanid>(\w+)<\/scanid>/.exec(first.body)?.[1] ?? '';
    await postScan(url, { tid: 'bare', scanid, 'answers[1]': '007' });
    expect((await scansOf(id)).map(({ answers }) => answers)).toEqual([
      [{ questionId: '1', question: 'How many?', answer: '007' }],
    ]);
  });

  describe('a relay with a secret property', () => {
    const secret = 'opensesame-canary-4711';
    const settings: Input = { secretProperty: { name: 'gate_key', hash: hashSharedSecret(secret) } };

    it('a relay with a secret property accepts a scan with the secret, and does not store the secret', async () => {
      const { id, url } = await newRelay(settings);
      const form = scanForm({ gate_key: secret, color: 'red' });
      expect((await postScan(url, form)).status).toBe(200);
      expect((await scansOf(id)).map(({ properties }) => properties)).toEqual([[{ name: 'color', value: 'red' }]]);
      const [raw = ''] = await rawOf(id);
      expect(raw).toContain('color');
      expect(raw).not.toMatch(/gate_key|opensesame/);
    });

    it.each([
      ['a scan without the secret', {}],
      ['a scan with a wrong secret', { gate_key: 'opensesame' }],
      ['a scan with an empty secret', { gate_key: '' }],
      ['a scan with the secret in another property', { Gate_key: secret }],
    ])('a relay with a secret property refuses %s with an empty body, and stores nothing', async (_, more) => {
      const { id, url } = await newRelay(settings);
      const before = (await outcomes(intake.metrics))['relay.proof'] ?? 0;
      expect(await postScan(url, scanForm(more as Record<string, string>))).toEqual(empty(403));
      expect(await scansOf(id)).toEqual([]);
      expect((await outcomes(intake.metrics))['relay.proof']).toBe(before + 1);
    });

    it('a repeated scan without the secret is refused with 403 once its relay has a secret property', async () => {
      const { id, url } = await newRelay({});
      await postScan(url, scanForm());
      await relaysOf(store).change(owner, id, { settings: relaySettingsSchema.parse(settings) });
      expect(await postScan(url, scanForm())).toEqual(empty(403));
      expect(await scansOf(id)).toHaveLength(1);
    });

    it('only its own workspace can read the name of a relay’s secret property', async () => {
      await newRelay(settings);
      expect(await relaysOf(store).secretProperties(owner)).toEqual(['gate_key']);
      expect(await relaysOf(store).secretProperties({ installation: 'TX', team: 'TX' })).toEqual([]);
    });
  });

  it('a relay accepts scans only from its allowed networks, by the IP address that the proxy names', async () => {
    const { id, url } = await newRelay({ networks: ['192.0.2.0/24', '2001:db8::/32'] });
    expect((await postFrom(url, '192.0.2.77')).status).toBe(200);
    expect((await postFrom(url, '2001:db8::1')).status).toBe(200);
    expect(await postFrom(url, '203.0.113.9')).toEqual({ status: 403, body: '' });
    expect(await postFrom(url, '192.0.2.77, 203.0.113.9')).toEqual({ status: 403, body: '' });
    expect(await postFrom(url, 'unknown')).toEqual({ status: 403, body: '' });
    expect(await scansOf(id)).toHaveLength(2);
  });

  it('a relay reads a template’s variable names, and also stores scans that use the standard names', async () => {
    const { id, url } = await newRelay({ names: { tid: 'barcode', sid: 'svc', answers: 'said', questions: 'asked' } });
    await postScan(url, {
      barcode: '00123',
      svc: '9',
      tid: 'table 4',
      'said[12]': 'Yes',
      'asked[12]': 'Ok?',
      udid: 'd',
    });
    await postScan(url, scanForm({ tid: 'direct' }));
    const [direct, templated] = await scansOf(id);
    expect(templated).toMatchObject({
      tid: '00123',
      sid: '9',
      udid: 'd',
      answers: [{ questionId: '12', question: 'Ok?', answer: 'Yes' }],
      properties: [{ name: 'tid', value: 'table 4' }],
    });
    expect(direct).toMatchObject({ tid: 'direct', sid: '101' });
    expect((await rawOf(id)).some((raw) => raw.includes('["barcode","00123"]'))).toBe(true);
  });

  it('a relay marks a late scan with the times of scan and arrival, and does not mark a timely scan', async () => {
    const { id, url } = await newRelay({ lateMinutes: 30 });
    await postScan(url, scanForm({ scanned_at_utc: '2020-01-02 03:04:05' }));
    await postScan(url, scanForm({ scanned_at_utc: new Date().toISOString().slice(0, 19).replace('T', ' ') }));
    const [now, late] = await scansOf(id);
    expect(late).toMatchObject({ late: true, madeAt: Date.UTC(2020, 0, 2, 3, 4, 5), finding: 'valid' });
    expect(late?.receivedAt).toBeGreaterThan(Date.UTC(2026, 0));
    expect([now?.late, now?.madeAt]).toEqual([undefined, undefined]);
  });

  it('a relay counts its scans by result in the metrics', async () => {
    const clock: Clock = systemClock;
    const own = await startIntake(store, { clock });
    const { relay, path } = await relaysOf(store).create({
      ...gate,
      settings: relaySettingsSchema.parse({ judging: { kind: 'list', values: ['ok'] } }),
    });
    expect(relay.settings.judging.kind).toBe('list');
    for (const tid of ['ok', 'x', 'y']) {
      await postScan(`${own.url}${path}`, scanForm({ tid }));
    }
    const { values } = await own.metrics.relayFindings.get();
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels.finding, value]))).toEqual({
      valid: 1,
      invalid: 2,
    });
    await own.close();
  });

  it('a relay whose settings cannot be read stores nothing and answers 503', async () => {
    const { id, url } = await newRelay({});
    await store.db
      .updateTable('relays')
      .set({ settings: '{"judging":{"kind":"oracle"}}' })
      .where('id', '=', id)
      .execute();
    expect(await postScan(url, scanForm())).toEqual(empty(503));
    expect(await scansOf(id)).toEqual([]);
  });
});
