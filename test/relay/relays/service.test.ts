import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../../src/clock.js';
import { type Relays, relaySettingsSchema } from '../../../src/relay/index.js';
import { hashSecret, makeSecret, matchSecret } from '../../../src/relay/record/webhook-secret.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore, sqliteDatabases } from '../../helpers/databases.js';
import { gate, owner, relaysOf, stranger } from '../../helpers/relay.js';
import { codeRejected } from '../../helpers/thrown.js';

onEachDatabase('relays', (databases) => {
  let store: Store;
  let relays: Relays;
  let woken = 0;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());
  beforeEach(() => {
    woken = 0;
    relays = relaysOf(store, () => {
      woken += 1;
    });
  });

  it('a new relay’s webhook URL contains a secret that the stored relay does not show', async () => {
    const { relay, path } = await relays.create({ ...gate, serviceIds: ['0101'] });
    const [, , id, secret] = path.split('/');
    expect(id).toBe(relay.id);
    expect(secret).toMatch(/^[\w-]{43}$/);
    const state = await relays.get(owner, relay.id);
    expect(state).toMatchObject({ relay: { id, serviceIds: ['0101'], channel: 'C0GATE', createdBy: 'U0ADMIN' } });
    expect(JSON.stringify(state)).not.toContain(secret);
    expect((await relays.list(owner)).map((one) => one.relay.id)).toContain(id);
    expect(await relays.list(stranger)).toEqual([]);
  });

  it('no two relays get the same webhook URL', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => relays.create(gate)));
    expect(new Set(made.map(({ path }) => path)).size).toBe(20);
    expect(new Set(made.map(({ relay }) => relay.id)).size).toBe(20);
  });

  it('a relay gets a new secret beside its earlier ones, and each secret can be revoked by itself', async () => {
    const { relay, path } = await relays.create(gate);
    const rotated = await relays.addSecret(owner, relay.id);
    expect(rotated.path).toMatch(new RegExp(`^/relay/${relay.id}/`));
    expect(rotated.path).not.toBe(path);
    const secrets = (await relays.get(owner, relay.id))!.secrets;
    expect(secrets.map(({ id }) => id)).toContain(rotated.secret.id);
    expect(secrets.length).toBe(2);
    await relays.revokeSecret(owner, relay.id, rotated.secret.id);
    expect((await relays.get(owner, relay.id))!.secrets.length).toBe(1);
    expect(await codeRejected(relays.revokeSecret(owner, relay.id, rotated.secret.id))).toBe('relay.no_such_relay');
  });

  it('a change of a relay changes the given fields and no other field', async () => {
    const { relay } = await relays.create({ ...gate, serviceIds: ['1'] });
    await relays.change(owner, relay.id, { notable: 'invalid' });
    await relays.change(owner, relay.id, { channel: 'C0NEW', serviceName: 'Back gate' });
    expect((await relays.get(owner, relay.id))?.relay).toMatchObject({
      ...relay,
      notable: 'invalid',
      channel: 'C0NEW',
      serviceName: 'Back gate',
    });
    await relays.change(owner, relay.id, {});
  });

  it('a relay remembers the names of its former secret properties, for its own workspace alone', async () => {
    const { relay } = await relays.create({ ...gate, owner: stranger });
    const call = (name?: string) =>
      relaySettingsSchema.parse(name === undefined ? {} : { secretProperty: { name, hash: 'f'.repeat(64) } });
    const known = async () => [...(await relays.secretProperties(stranger))].sort();
    const before = await relays.secretProperties(owner);
    expect(await known()).toEqual([]);
    await relays.change(stranger, relay.id, { settings: call('gate_key') });
    await relays.update(stranger, relay.id, () => ({ settings: call('other_key') }));
    expect(await known()).toEqual(['gate_key', 'other_key']);
    await relays.change(stranger, relay.id, { settings: call() });
    await relays.update(stranger, relay.id, ({ settings }) => ({ settings: { ...settings, lateMinutes: 77 } }));
    await relays.change(stranger, relay.id, { channel: 'C0NEW' });
    expect((await relays.get(stranger, relay.id))!.relay.settings).toEqual({ ...call(), lateMinutes: 77 });
    await relays.change(stranger, relay.id, { settings: call('gate_key') });
    expect(await known()).toEqual(['gate_key', 'other_key']);
    await relays.remove(stranger, relay.id);
    expect(await known()).toEqual(['gate_key', 'other_key']);
    expect(await relays.secretProperties(owner)).toEqual(before);
  });

  it('a relay remembers the latest names of its former secret properties, up to a maximum', async () => {
    const { relay } = await relays.create({ ...gate, owner: stranger });
    for (let n = 0; n < 60; n++) {
      const secretProperty = { name: `turn-${n}`, hash: 'f'.repeat(64) };
      await relays.change(stranger, relay.id, { settings: relaySettingsSchema.parse({ secretProperty }) });
    }
    const turns = (await relays.secretProperties(stranger)).filter((name) => name.startsWith('turn-'));
    expect(turns).toEqual(Array.from({ length: 51 }, (_, n) => `turn-${n + 9}`));
  });

  it('a relay is paused and resumed, and resuming it wakes the delivery of its posts', async () => {
    const { relay } = await relays.create(gate);
    await relays.pause(owner, relay.id);
    expect((await relays.get(owner, relay.id))?.relay.paused?.why).toBe('person');
    expect(woken).toBe(0);
    await relays.resume(owner, relay.id);
    expect((await relays.get(owner, relay.id))?.relay.paused).toBeUndefined();
    expect(woken).toBe(1);
    expect(await relays.replay(owner, relay.id)).toBe(0);
    expect(woken).toBe(1);
  });

  it('changes of a missing relay and of another workspace’s relay fail with the same error', async () => {
    const { relay } = await relays.create(gate);
    const expectRefused = async (of: typeof owner, id: string) => {
      const codes = await Promise.all(
        [
          relays.change(of, id, { channel: 'C1' }),
          relays.pause(of, id),
          relays.resume(of, id),
          relays.addSecret(of, id),
          relays.revokeSecret(of, id, 'x'),
          relays.remove(of, id),
        ].map(codeRejected),
      );
      expect(codes).toEqual(Array(6).fill('relay.no_such_relay'));
    };
    await expectRefused(stranger, relay.id);
    await expectRefused(owner, 'nobody');
    await relays.remove(owner, relay.id);
    await expectRefused(owner, relay.id);
    expect(await relays.get(owner, relay.id)).toBeUndefined();
  });
});

describe('a relay’s secret', () => {
  const databases = sqliteDatabases();

  it('a relay’s secret does not appear in any byte of the database', async () => {
    const url = await databases.fresh();
    const store = await openTestStore(url);
    const { relay, path } = await relaysOf(store).create(gate);
    const rotated = await relaysOf(store).addSecret(owner, relay.id);
    await store.close();
    const file = url.slice('file:'.length);
    const folder = await readdir(dirname(file));
    // SQLite may delete its own files after the last connection is closed.
    const gone = () => '';
    const texts = folder.map((name) => readFile(join(dirname(file), name), 'latin1').catch(gone));
    const bytes = (await Promise.all(texts)).join('');
    expect(bytes).toContain(relay.id);
    for (const secret of [path, rotated.path].map((text) => text.split('/')[3]!)) {
      expect(bytes).not.toContain(secret);
      expect(bytes).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
    }
  });

  it('a relay’s secret is found by its hash among all secrets not revoked, and by nothing else', () => {
    const secrets = Array.from({ length: 3 }, (_, n) => ({ id: `s${n}`, secret: makeSecret(systemRandom) }));
    const live = secrets.map(({ id, secret }) => ({ id, hash: hashSecret(secret) }));
    for (const { id, secret } of secrets) {
      expect(matchSecret(live, hashSecret(secret))).toBe(id);
      expect(matchSecret(live, hashSecret(`${secret} `))).toBeUndefined();
      expect(matchSecret(live, hashSecret(secret.toLowerCase()))).toBeUndefined();
    }
    expect(matchSecret([], hashSecret(''))).toBeUndefined();
    expect(matchSecret([], '0'.repeat(64))).toBeUndefined();
  });
});
