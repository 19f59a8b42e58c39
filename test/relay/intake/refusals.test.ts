import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSharedSecret, relaySettingsSchema } from '../../../src/relay/index.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { gate, outcomes, owner, relaysOf, scanForm, startIntake, type TestIntake } from '../../helpers/relay.js';

const form = 'application/x-www-form-urlencoded';
const valid = (fields: Record<string, string> = {}) => new URLSearchParams(scanForm(fields)).toString();

interface Refusal {
  readonly title: string;
  readonly status: number;
  /** The outcome in the metrics. */
  readonly outcome: string;
  readonly method?: string;
  readonly type?: string;
  readonly body?: string | Buffer;
  /** Makes the path of the request from the relay's path. */
  readonly path?: (path: string) => string;
  readonly settings?: Parameters<typeof relaySettingsSchema.parse>[0];
  readonly headers?: Record<string, string>;
}

const refusals: readonly Refusal[] = [
  { title: 'a path that does not exist', status: 404, outcome: 'unknown', path: (path) => `${path}/more` },
  {
    title: 'the ID of no relay',
    status: 404,
    outcome: 'unknown',
    path: (path) => path.replace(/relay\/./, (start) => (start === 'relay/0' ? 'relay/1' : 'relay/0')),
  },
  { title: 'a wrong secret', status: 404, outcome: 'unknown', path: (path) => `${path.slice(0, -1)}_` },
  { title: 'the method PUT', status: 405, outcome: 'method', method: 'PUT', headers: { allow: 'POST' } },
  { title: 'a JSON body', status: 400, outcome: 'relay.not_a_form', type: 'application/json', body: '{"tid":"1"}' },
  { title: 'the charset latin1', status: 400, outcome: 'relay.not_a_form', type: `${form}; charset=latin1` },
  { title: 'broken UTF-8', status: 400, outcome: 'relay.encoding', body: Buffer.from([0x74, 0x69, 0x64, 0x3d, 0xff]) },
  { title: 'percent-encoded broken UTF-8', status: 400, outcome: 'relay.encoding', body: 'tid=%ff' },
  { title: 'a NUL in a value', status: 400, outcome: 'relay.nul', body: 'tid=a%00b' },
  { title: 'a NUL in a name', status: 400, outcome: 'relay.nul', body: 'tid=a&x%00=b' },
  { title: 'no barcode', status: 400, outcome: 'relay.no_barcode', body: 'sid=1' },
  { title: 'an empty barcode', status: 400, outcome: 'relay.no_barcode', body: 'tid=&sid=1' },
  { title: 'an empty body', status: 400, outcome: 'relay.no_barcode', body: '' },
  { title: 'a body over 64 KB', status: 413, outcome: 'relay.body_too_large', body: `tid=${'x'.repeat(65_536)}` },
  {
    title: 'an IP address outside the allowed networks',
    status: 403,
    outcome: 'relay.network',
    settings: { networks: ['10.0.0.0/8'] },
  },
  {
    title: 'no shared secret',
    status: 403,
    outcome: 'relay.proof',
    settings: { secretProperty: { name: 'key', hash: hashSharedSecret('right') } },
  },
  {
    title: 'a wrong shared secret',
    status: 403,
    outcome: 'relay.proof',
    settings: { secretProperty: { name: 'key', hash: hashSharedSecret('right') } },
    body: 'tid=1&key=wrong',
  },
];

onEachDatabase('a scan that is refused', (databases) => {
  let store: Store;
  let intake: TestIntake;
  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
    intake = await startIntake(store);
  });
  afterAll(async () => {
    await intake.close();
    await store.close();
  });

  describe('the response to a refused request', () => {
    it.each(refusals)('a request with $title gets $status and no body, and stores nothing', async (refusal) => {
      const { status, outcome, method = 'POST', type = form, settings, headers = {} } = refusal;
      const stored = settings ? { settings: relaySettingsSchema.parse(settings) } : {};
      const { relay, path } = await relaysOf(store).create({ ...gate, ...stored });
      const before = (await outcomes(intake.metrics))[outcome] ?? 0;
      const response = await fetch(`${intake.url}${refusal.path?.(path) ?? path}`, {
        method,
        headers: { 'content-type': type },
        body: refusal.body ?? valid(),
      });
      expect([response.status, await response.text()]).toEqual([status, '']);
      expect(response.headers.get('content-type')).toBeNull();
      expect(Object.fromEntries(response.headers)).toMatchObject(headers);
      expect((await outcomes(intake.metrics))[outcome]).toBe(before + 1);
      expect(await store.db.selectFrom('outbox').select('seq').where('source_id', '=', relay.id).execute()).toEqual([]);
      for (const table of ['received_scans', 'counters'] as const) {
        const rows = await store.db.selectFrom(table).selectAll().where('relay_id', '=', relay.id).execute();
        expect(rows).toEqual([]);
      }
      expect((await relaysOf(store).get(owner, relay.id))?.secrets[0]?.lastUsedAt).toBeUndefined();
    });
  });

  it('a relay whose networks another instance has just changed refuses the next scan from any other sender', async () => {
    const { relay, path } = await relaysOf(store).create(gate);
    const post = () =>
      fetch(`${intake.url}${path}`, { method: 'POST', headers: { 'content-type': form }, body: valid() });
    // The intake knows the relay’s settings from this scan on; the change is made past it.
    expect((await post()).status).toBe(200);
    await relaysOf(store).update(owner, relay.id, ({ settings }) => ({
      settings: { ...settings, networks: ['10.0.0.0/8'] },
    }));
    expect((await post()).status).toBe(403);
    const rows = await store.db.selectFrom('received_scans').select('id').where('relay_id', '=', relay.id).execute();
    expect(rows).toHaveLength(1);
  });
});
