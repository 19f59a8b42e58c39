import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutbox } from '../../../src/posts/outbox/outbox.js';
import { createRelaysById } from '../../../src/relay/record/by-id.js';
import { createRelayStore } from '../../../src/relay/relays/relay-rows.js';
import type { Store } from '../../../src/workspaces/types.js';
import { onEachDatabase, openTestStore } from '../../helpers/databases.js';
import { addPost } from '../../helpers/outbox.js';
import { owner, relayRecord, stranger } from '../../helpers/relay.js';

onEachDatabase('relays in the store', (databases) => {
  let store: Store;
  let made = 0;

  beforeAll(async () => {
    store = await openTestStore(await databases.fresh());
  });
  afterAll(() => store.close());

  const newRelay = async (fields: Parameters<typeof relayRecord>[0] = {}): Promise<string> => {
    made += 1;
    const id = `relay${made}`;
    await createRelayStore(store.db).add(relayRecord({ id, ...fields }), { id: `${id}-s1`, hash: 'a'.repeat(64) });
    return id;
  };
  const relays = () => createRelayStore(store.db);
  const work = () => createRelaysById(store.db);
  const states = async (relayId: string) =>
    (await store.db.selectFrom('outbox').selectAll().where('source_id', '=', relayId).orderBy('seq').execute()).map(
      ({ state, channel, last_code }) => [state, channel, last_code],
    );

  it('a stored relay reads back unchanged', async () => {
    const record = relayRecord({
      id: 'whole',
      serviceIds: ['1', '002'],
      serviceName: 'Gate <1> 🚪',
      notable: 'invalid',
      createdAt: 5,
    });
    await relays().add(record, { id: 'whole-s1', hash: 'b'.repeat(64) });
    expect(await relays().get(owner, 'whole')).toMatchObject({
      relay: record,
      secrets: [{ id: 'whole-s1', createdAt: 5 }],
      pending: 0,
      dead: 0,
      scans: 0,
    });
    expect(await work().find('whole')).toMatchObject(record);
  });

  it('no other workspace reads, changes, pauses, rotates, replays or removes an owner’s relay', async () => {
    const id = await newRelay();
    const others = [stranger, { ...owner, team: 'T0OTHER' }, { ...owner, installation: 'E0ORG' }];
    for (const other of others) {
      expect(await relays().get(other, id)).toBeUndefined();
      expect((await relays().list(other)).map(({ relay }) => relay.id)).not.toContain(id);
      expect(await relays().change(other, id, { channel: 'CX' }, 1)).toBe(false);
      expect(await relays().pause(other, id, 1)).toBe(false);
      expect(await relays().resume(other, id, 1)).toBe(false);
      expect(await relays().addSecret(other, id, { id: `x-${other.team}`, hash: 'c' }, 1)).toBe(false);
      expect(await relays().revokeSecret(other, id, `${id}-s1`, 1)).toBe(false);
      expect(await relays().replay(other, id, 1)).toBe(0);
      expect(await relays().remove(other, id, 1)).toBe(false);
    }
    expect(await relays().get(owner, id)).toMatchObject({
      relay: { channel: 'C0GATE' },
      secrets: [{ id: `${id}-s1` }],
    });
    expect((await relays().get(owner, id))?.relay.paused).toBeUndefined();
  });

  it('a relay accepts every secret that was not revoked', async () => {
    const id = await newRelay();
    expect(await relays().addSecret(owner, id, { id: 'second', hash: 'd'.repeat(64) }, 7)).toBe(true);
    expect((await work().access(id))?.secrets.length).toBe(2);
    expect(await relays().revokeSecret(owner, id, `${id}-s1`, 8)).toBe(true);
    expect(await relays().revokeSecret(owner, id, `${id}-s1`, 9)).toBe(false);
    expect((await work().access(id))?.secrets).toEqual([{ id: 'second', hash: 'd'.repeat(64) }]);
    expect((await relays().get(owner, id))?.secrets).toEqual([{ id: 'second', createdAt: 7 }]);
    await relays().revokeSecret(owner, id, 'second', 9);
    expect((await work().access(id))?.secrets).toEqual([]);
  });

  it('a removed relay is unknown to senders and owner, and its waiting posts become dead letters', async () => {
    const id = await newRelay();
    await addPost(store, { relayId: id });
    expect(await relays().remove(owner, id, 3)).toBe(true);
    expect(await work().access(id)).toBeUndefined();
    expect(await relays().get(owner, id)).toBeUndefined();
    expect(await relays().remove(owner, id, 4)).toBe(false);
    expect(await states(id)).toEqual([['dead', 'C0GATE', 'relay.removed']]);
  });

  it('a paused relay keeps the time and reason of its first pause until it is resumed', async () => {
    const id = await newRelay();
    expect(await work().pauseFor(id, 'token_revoked', 10)).toBe(true);
    expect(await work().pauseFor(id, 'uninstalled', 11)).toBe(false);
    expect(await relays().pause(owner, id, 12)).toBe(true);
    expect((await work().find(id))?.paused).toEqual({ at: 10, why: 'token_revoked' });
    expect(await relays().resume(owner, id, 13)).toBe(true);
    expect((await work().find(id))?.paused).toBeUndefined();
    await relays().pause(owner, id, 14);
    expect((await work().find(id))?.paused).toEqual({ at: 14, why: 'person' });
  });

  it('a paused relay’s notice is due until the notice was sent or the relay is resumed', async () => {
    const id = await newRelay();
    const ids = async () => (await work().withNoticeDue()).map((relay) => relay.id);
    expect(await ids()).not.toContain(id);
    await work().pauseFor(id, 'token_revoked', 1);
    expect(await ids()).toContain(id);
    await relays().resume(owner, id, 3);
    expect(await ids()).not.toContain(id);
    await work().pauseFor(id, 'token_revoked', 4);
    // The notice of an earlier pause does not count for this pause.
    await work().noticeSent(id, 1, 5);
    expect(await ids()).toContain(id);
    await work().noticeSent(id, 4, 5);
    expect(await ids()).not.toContain(id);
  });

  it('a relay’s waiting posts move to its new channel, except posts that may be in the earlier channel', async () => {
    const id = await newRelay();
    await addPost(store, { relayId: id });
    await addPost(store, { relayId: id, state: 'unconfirmed' });
    await addPost(store, { relayId: id, state: 'sending' });
    await relays().change(owner, id, { channel: 'C0NEW' }, 5);
    expect((await states(id)).map(([state, channel]) => [state, channel])).toEqual([
      ['pending', 'C0NEW'],
      ['unconfirmed', 'C0GATE'],
      ['sending', 'C0GATE'],
    ]);
    expect((await createOutbox(store).claim('w', 5, 99)).map(({ channel }) => channel)).toContain('C0NEW');
  });

  it('a replayed dead letter is sent anew if it surely did not arrive, and otherwise searched for first', async () => {
    const id = await newRelay({ channel: 'C0NOW' });
    await addPost(store, { relayId: id, channel: 'C0OLD', state: 'dead', attempts: 5 });
    await addPost(store, { relayId: id, channel: 'C0OLD', state: 'dead', unconfirmedAt: 7 });
    await addPost(store, { relayId: id, channel: 'C0OLD', state: 'delivered' });
    const generations = async () => {
      const rows = store.db.selectFrom('outbox').select('generation').where('source_id', '=', id).orderBy('seq');
      return (await rows.execute()).map(({ generation }) => generation);
    };
    expect(await generations()).toEqual([0, 0, 0]);
    expect(await relays().get(owner, id)).toMatchObject({ pending: 0, dead: 2 });
    expect(await relays().replay(owner, id, 9)).toBe(2);
    expect(await relays().get(owner, id)).toMatchObject({ pending: 2, dead: 0 });
    expect((await states(id)).map(([state, channel]) => [state, channel])).toEqual([
      ['pending', 'C0NOW'],
      ['unconfirmed', 'C0OLD'],
      ['delivered', 'C0OLD'],
    ]);
    expect(await relays().replay(owner, id, 9)).toBe(0);
    expect(await generations()).toEqual([1, 1, 0]);
  });

  it('a resumed relay’s failed posts are tried again at once', async () => {
    const id = await newRelay({ channel: 'C0RESUME' });
    await addPost(store, { relayId: id, channel: 'C0RESUME', attempts: 9, nextAt: 9_999, firstAttemptAt: 1 });
    await relays().pause(owner, id, 2);
    await relays().resume(owner, id, 50);
    const lane = { ...owner, channel: 'C0RESUME' };
    expect(await createOutbox(store).head(lane)).toMatchObject({ attempts: 0, nextAt: 50, generation: 0 });
    expect((await createOutbox(store).head(lane))?.firstAttemptAt).toBeUndefined();
  });

  it('a resumed relay or a replayed post restarts the time for which a post in doubt is searched for', async () => {
    const id = await newRelay({ channel: 'C0DOUBT' });
    await addPost(store, {
      relayId: id,
      channel: 'C0DOUBT',
      state: 'unconfirmed',
      firstAttemptAt: 1,
      unconfirmedAt: 1,
    });
    const head = () => createOutbox(store).head({ ...owner, channel: 'C0DOUBT' });
    await relays().pause(owner, id, 2);
    await relays().resume(owner, id, 50);
    expect(await head()).toMatchObject({ state: 'unconfirmed', firstAttemptAt: 50, unconfirmedAt: 1 });
    await createOutbox(store).reject((await head())!, 'code', 60);
    await relays().replay(owner, id, 70);
    expect(await head()).toMatchObject({ state: 'unconfirmed', firstAttemptAt: 70, unconfirmedAt: 1 });
  });

  it.each([
    ['paused', (id: string) => relays().pause(owner, id, 50)],
    ['paused because it can post nothing', (id: string) => work().pauseFor(id, 'token_revoked', 50)],
    ['resumed', (id: string) => relays().resume(owner, id, 50)],
    ['removed', (id: string) => relays().remove(owner, id, 50)],
    ['moved to another channel', (id: string) => relays().change(owner, id, { channel: 'C0ELSE' }, 50)],
    [
      'changed so that a rule posts elsewhere',
      (id: string) =>
        relays().change(owner, id, { ruleChannels: [{ ruleId: 'r1', channel: 'C0ELSE', delivery: 'message' }] }, 50),
    ],
  ])('the channels in which a relay’s posts wait are due at once when the relay is %s', async (_, work) => {
    const [id, other] = [await newRelay(), await newRelay()];
    const channels = [`C1${id}`, `C2${id}`, `C3${id}`];
    for (const channel of channels) {
      await addPost(store, { relayId: channel === channels[2] ? other : id, channel, nextAt: 9_999 });
    }
    await store.db.updateTable('outbox').set({ rule_id: 'r1' }).where('channel', '=', channels[1]!).execute();
    const lanes = () =>
      store.db
        .selectFrom('channel_queues')
        .select('next_at')
        .where('channel', 'in', channels)
        .orderBy('channel')
        .execute();
    for (const channel of channels) {
      await store.db.updateTable('channel_queues').set({ next_at: 9_999 }).where('channel', '=', channel).execute();
    }
    await work(id);
    expect((await lanes()).map(({ next_at }) => next_at)).toEqual([50, 50, 9_999]);
  });

  describe('the relays of an app that was uninstalled', () => {
    it('an uninstalled app’s relays are paused and their posts become dead letters; other relays go on', async () => {
      const gone = { installation: 'T0GONE', team: 'T0GONE' };
      const relayId = await newRelay({ owner: gone });
      const other = await newRelay({ owner: stranger });
      await addPost(store, { relayId, owner: gone });
      await addPost(store, { relayId, owner: gone, state: 'sending', attemptAt: 77 });
      await addPost(store, { relayId: other, owner: stranger });
      await store.eraseInstallation('T0GONE');
      expect((await work().find(relayId))?.paused?.why).toBe('uninstalled');
      expect((await work().find(other))?.paused).toBeUndefined();
      expect(await states(relayId)).toEqual([
        ['dead', 'C0GATE', 'relay.uninstalled'],
        ['dead', 'C0GATE', 'relay.uninstalled'],
      ]);
      expect(await states(other)).toEqual([['pending', 'C0GATE', null]]);
      // The post that was being sent may have arrived: a replay searches for it first.
      await relays().replay(gone, relayId, 99);
      expect((await states(relayId)).map(([state]) => state)).toEqual(['pending', 'unconfirmed']);
    });

    it('uninstalling the app from one team of an organization pauses the relays of that team alone', async () => {
      const gone = { installation: 'E0ORG', team: 'T0GONE' };
      const stays = { installation: 'E0ORG', team: 'T0STAYS' };
      const [relayId, other] = [await newRelay({ owner: gone }), await newRelay({ owner: stays })];
      await addPost(store, { relayId, owner: gone });
      await addPost(store, { relayId: other, owner: stays });
      await store.eraseTeam(gone);
      expect((await work().find(relayId))?.paused?.why).toBe('uninstalled');
      expect((await work().find(other))?.paused).toBeUndefined();
      expect(await states(relayId)).toEqual([['dead', 'C0GATE', 'relay.uninstalled']]);
      expect(await states(other)).toEqual([['pending', 'C0GATE', null]]);
    });
  });
});
