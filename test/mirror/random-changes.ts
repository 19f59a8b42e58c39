/** The property of the mirror: after any changes in the account, whatever goes wrong meanwhile, it equals the account. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { retrieveScans, showValues } from '../../src/codereadr/operations/index.js';
import { createAccountMirrors } from '../../src/mirror/tables/accounts.js';
import { createDatabaseMirrors } from '../../src/mirror/tables/databases.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { mirrorOf, type TestMirror } from '../helpers/mirror.js';
import { owner } from '../helpers/relay.js';
import { type Call, type DeskHarness, startDesk, xmlError } from '../lookup/harness.js';

const dayMs = 24 * 60 * 60_000;

const decorate = [
  (n: number) => `${n}`,
  (n: number) => `00${n}`,
  (n: number) => ` ${n}`,
  (n: number) => `Tick-${n}`,
  (n: number) => `tICK-${n}`,
  (n: number) => `🎟️${n}`,
  (n: number) => `<&"${n}'>`,
  (n: number) => `1e${n}`,
  // Three values that read alike.
  (n: number) => `GS${n % 40}`,
  (n: number) => `GS\u001d${n % 40}`,
  (n: number) => `G\u001eS${n % 40}`,
];

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbers(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** @param changes how many; another `seed` makes others */
export function equalsTheAccount(changes: number, seed = 20_261_122): void {
  onEachDatabase('the mirror', (databases) => {
    let account: DeskHarness;
    let url: string;
    let ids: readonly [string, string];
    const open: TestMirror[] = [];

    const call = async (section: string, action: string, variables: Record<string, string>) => {
      const body = new URLSearchParams({ section, action, api_key: account.apiKey, direct: '1', ...variables });
      return await (await fetch(account.apiUrl, { method: 'POST', body })).text();
    };
    const start = async () => {
      const store = await openTestStore(url);
      const made = mirrorOf(store, account.accounts, {
        pageSize: 300,
        times: {
          pollMs: 10,
          freshMs: 30,
          perCallMs: 1,
          changesMs: 20,
          fullMs: 80,
          leaseMs: 400,
          longestBackoffMs: 200,
        },
      });
      made.mirror.start();
      open.push(made);
    };
    /** Ends the oldest mirror as a kill would: its lease stays, and its passes end anywhere. */
    const kill = async () => {
      const [gone] = open.splice(0, 1);
      await gone?.store.close();
      await gone?.mirror.stop();
    };

    beforeAll(async () => {
      account = await startDesk({ callsPerMinute: 1_000_000 });
      const create = async (name: string, caseSensitive: string) =>
        /<id>(\d+)/.exec(
          await call('databases', 'create', { database_name: name, case_sensitivity: caseSensitive }),
        )?.[1] ?? '';
      ids = [await create('Exact', '1'), await create('Folded', '0')];
      url = await databases.fresh();
      const store = await openTestStore(url);
      await store.workspaces.connect(owner, account.apiKey, { connectedBy: 'U1', connectedAt: 5 });
      await store.workspaces.change(owner, { lookupDatabases: ids });
      await store.close();
    });
    afterAll(async () => {
      for (const { mirror, store } of open) {
        await mirror.stop();
        await store.close();
      }
      await account.close();
    });

    it('the mirror equals the account after random changes, kills, broken pages and used-up calls', async () => {
      const random = numbers(seed);
      const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
      const barcode = () => pick(decorate)(Math.floor(random() * 250));
      const state = (await (await fetch(account.apiUrl.replace('/api/', '/scanner/state'))).json()) as {
        users: { id: string }[];
        devices: { id: string }[];
      };
      const service = { service_name: 'Counter', validation_method: 'record' };
      const serviceId = /<id>(\d+)/.exec(await call('services', 'create', service))?.[1] ?? '';
      await call('services', 'adduserpermission', {
        service_id: serviceId,
        user_id: state.users.map(({ id }) => id).join(','),
      });
      const known: string[] = [];

      let faults = true;
      account.onWire(async ({ operation, variables }: Call) => {
        if (!faults || variables.has('direct') || !variables.has('section') || random() > 0.15) {
          return undefined;
        }
        switch (pick(['reset', 'html', 'cut', 'minute', 'day', 'shortened', 'empty'])) {
          case 'reset':
            return 'reset';
          case 'html':
            return '<html>';
          case 'minute':
            return operation === 'limits/retrieve' ? undefined : xmlError('2');
          case 'day':
            return xmlError('204');
          default: {
            const again = new URLSearchParams(variables);
            again.set('direct', '1');
            const body = await (await fetch(account.apiUrl, { method: 'POST', body: again })).text();
            if (random() < 0.5) {
              return body.slice(0, Math.floor(body.length * random()));
            }
            // Whole XML that lacks its last items, with and without the count that betrays it.
            const items = body.match(/<(value|scan) .*?<\/\1>/gs) ?? [];
            const left = items.slice(0, Math.floor(items.length * random())).join('');
            const count = random() < 0.5 ? `<count>${items.length}</count>` : '';
            return items.length === 0
              ? undefined
              : `<?xml version="1.0" encoding="UTF-8"?><xml><status>1</status>${count}${left}</xml>`;
          }
        }
      });

      await start();
      let done = 0;
      while (done < changes) {
        const database_id = pick(ids);
        const kind = random();
        if (kind < 0.45) {
          const rows = Array.from({ length: 10 }, barcode).flatMap((value, at): [string, string][] => [
            [`values[${at}][value]`, value],
            [`values[${at}][trim_value]`, '0'],
            [`values[${at}][response]`, `R${Math.floor(random() * 9)}`],
            [`values[${at}][validity]`, pick(['0', '1'])],
          ]);
          await call('databases', 'upsertmultivalue', { database_id, ...Object.fromEntries(rows) });
          done += 10;
        } else if (kind < 0.6) {
          await call('databases', 'deletevalue', { database_id, value: barcode() });
          done += 1;
        } else if (kind < 0.603) {
          await call('databases', 'clear', { database_id });
          done += 1;
        } else if (kind < 0.85) {
          const at = new Date(Date.now() - random() * 40 * dayMs).toISOString().slice(0, 19).replace('T', ' ');
          const scan = {
            ...{ service_id: serviceId, device_id: pick(state.devices).id, user_id: pick(state.users).id },
            ...{ value: barcode(), ...(random() < 0.5 ? { scanned_at: at } : {}) },
          };
          const answer = await fetch(account.apiUrl.replace('/api/', '/scanner/scan'), {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(scan),
          });
          const { scan_id } = (await answer.json()) as { scan_id?: string };
          expect(scan_id).toBeDefined();
          known.push(scan_id ?? '');
          done += 1;
        } else if (kind < 0.92 && known.length > 0) {
          const [id] = known.splice(Math.floor(random() * known.length), 1);
          await call('scans', 'delete', { scan_id: id ?? '' });
          done += 1;
        } else if (known.length > 0) {
          const property = { scan_id: pick(known), name: 'seat', value: `S${Math.floor(random() * 1e6)}` };
          await call('scan_properties', 'create', property);
          done += 1;
        }
        if (random() < 0.003) {
          await start();
          await kill();
        }
      }
      faults = false;

      const store = await openTestStore(url);
      const inAccount = async () => {
        const values = await Promise.all(
          ids.map(async (database_id) => {
            const answer = await account.account.client.call(showValues, { database_id });
            return answer.values.map(({ value, valid, response }) => [value, valid, response]).sort();
          }),
        );
        const from = new Date(Date.now() - 90 * dayMs).toISOString();
        const { scans } = await account.account.client.call(retrieveScans, {
          ...{ start_date: from.slice(0, 10), start_time: from.slice(11, 19), limit: 100_000 },
          ...{ timezone: 'Africa/Abidjan', showProperties: true, order_by: ['scan_id'] },
        });
        return { values, scans };
      };
      const inMirror = async () => {
        const mirrors = await createDatabaseMirrors(store).of(owner);
        const values = await Promise.all(
          ids.map(async (id) => {
            const mirror = mirrors.find(({ databaseId }) => databaseId === id);
            const rows = await store.db
              .selectFrom('mirrored_values')
              .selectAll()
              .where('mirror_id', '=', mirror?.id ?? 0)
              .execute();
            return rows.map(({ value, valid, response }) => [value, valid === 1, response]).sort();
          }),
        );
        const mirror = await createAccountMirrors(store).of(owner);
        const rows = await store.db
          .selectFrom('account_scans')
          .select('record')
          .where('connection', '=', mirror?.id ?? 0)
          .execute();
        const scans = rows.map(({ record }) => JSON.parse(record)).sort((a, b) => Number(a.id) - Number(b.id));
        return { values, scans };
      };
      const account1 = await inAccount();
      expect(account1.values.flat().length + account1.scans.length).toBeGreaterThan(changes / 20);
      await expect
        .poll(async () => JSON.stringify(await inMirror()) === JSON.stringify(await inAccount()), {
          timeout: 60_000,
          interval: 500,
        })
        .toBe(true)
        .catch(async () => expect(await inMirror()).toEqual(await inAccount()));
      await store.close();
    }, 600_000);
  });
}
