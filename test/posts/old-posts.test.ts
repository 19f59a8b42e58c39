import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createOutbox } from '../../src/posts/outbox/outbox.js';
import { createRelayStore } from '../../src/relay/relays/relay-rows.js';
import { onEachDatabase, openTestStore } from '../helpers/databases.js';
import { jobsOf } from '../helpers/jobs.js';
import { relayRecord } from '../helpers/relay.js';
import { restoreDatabase } from '../upgrade/old-version.js';

onEachDatabase('posts that version 1.0.0 left', ({ kind, empty }) => {
  it('posts from a database of version 1.0.0 belong to their relays, and each queue has the first of them as its next', async () => {
    const url = await empty();
    await restoreDatabase(kind, url);
    const store = await openTestStore(url);
    const relays = new Set((await store.db.selectFrom('relays').select('id').execute()).map(({ id }) => id));
    const posts = await store.db.selectFrom('outbox').selectAll().execute();
    expect(posts.length).toBeGreaterThan(5);
    expect(posts.filter((post) => post.source !== 'relay' || !relays.has(post.source_id))).toEqual([]);
    const open = posts.filter((post) => post.finished_at === null);
    expect(open.length).toBeGreaterThan(0);
    const held = new Set((await store.db.selectFrom('held_sources').select('source_id').execute()).map(sourceOf));
    for (const { installation, team, channel } of open) {
      const [first] = open
        .filter((one) => one.channel === channel && !held.has(one.source_id))
        .sort((one, other) => one.lane - other.lane || one.seq - other.seq);
      expect((await createOutbox(store).head({ installation, team, channel }))?.key).toBe(first?.key);
    }
    await store.close();
  });

  it('an export under way in version 1.0.0 becomes a post whose message is due for an update after the upgrade', async () => {
    const url = await empty();
    const before = await openTestStore(url);
    await sql`create table exports (id text, installation text, team text, who text, channel text, what text, mode text,
      state text, connected_at bigint, expected bigint, position text, chunks int default 0, rows int default 0,
      bytes bigint default 0, created_at bigint, due_at bigint, worked_at bigint, message_channel text, message_ts text,
      shown_at bigint, file_id text, shared_at bigint, outcome text)`.execute(before.db);
    await sql`delete from kysely_migration where name in ('009-export-posts', '015-deleted-files', '028-export-jobs')`.execute(
      before.db,
    );
    const columns = sql`id, message_channel, message_ts, installation, team, who, channel, mode, state, what, position,
      created_at, due_at, worked_at`;
    const common = sql`'T1', 'T1', 'U1', 'C1', 'exact', 'reading', '{}', '{}', 1, 1, 1`;
    await sql`insert into exports (${columns}) values ('x1', 'C1', '1.1', ${common}), ('x2', null, null, ${common})`.execute(
      before.db,
    );
    await before.close();
    const store = await openTestStore(url);
    const posts = await store.db
      .selectFrom('outbox')
      .innerJoin('message_updates', 'message_updates.post_seq', 'outbox.seq')
      .select(['key', 'source', 'source_id', 'channel', 'ts', 'state', 'kind', 'due_at'])
      .execute();
    expect(posts).toEqual([
      {
        ...{ key: 'x1', source: 'export', source_id: 'x1', channel: 'C1', ts: '1.1', state: 'delivered' },
        ...{ kind: 'export', due_at: 0 },
      },
    ]);
    expect((await jobsOf(store, 'export')).map(({ key }) => key)).toEqual(['x1', 'x2']);
    await store.close();
  });

  it('a relay’s posts stay paused after the upgrade from 1.0.0, and updates too if access was revoked', async () => {
    const url = await empty();
    const before = await openTestStore(url);
    await sql`drop table held_sources`.execute(before.db);
    await sql`delete from kysely_migration where name = '010-held-sources'`.execute(before.db);
    const relays = createRelayStore(before.db);
    for (const id of ['runs', 'paused', 'revoked', 'removed']) {
      await relays.add(relayRecord({ id }), { id: `${id}-s`, hash: id });
    }
    const set = (id: string, why: string) =>
      before.db.updateTable('relays').set({ paused_at: 1, paused_why: why }).where('id', '=', id);
    await set('paused', 'person').execute();
    await set('revoked', 'token_revoked').execute();
    await set('removed', 'person').set({ removed_at: 2 }).execute();
    await before.close();
    const store = await openTestStore(url);
    expect(await store.db.selectFrom('held_sources').selectAll().orderBy('source_id').execute()).toEqual([
      { source: 'relay', source_id: 'paused', updates: 0 },
      { source: 'relay', source_id: 'revoked', updates: 1 },
    ]);
    await store.close();
  });
});

function sourceOf({ source_id }: { readonly source_id: string }): string {
  return source_id;
}
