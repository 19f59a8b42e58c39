/**
 * The outbox with states and columns in today's words, foreign keys, message updates in a table of their own, and the
 * first post of each relay in a queue. SQLite adds a foreign key only to a new table, so both copy theirs.
 */
import { type Kysely, sql } from 'kysely';
import { exactText } from './columns.js';
import type { MigrationFor } from './migration.js';

export const postStates: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    const exact = exactText(kind);
    const seq = kind === 'postgres' ? 'bigserial' : 'integer';

    await db.schema.alterTable('outbox').renameTo('outbox_before').execute();
    await db.schema
      .createTable('outbox')
      .addColumn('seq', seq, (column) =>
        kind === 'postgres' ? column.primaryKey() : column.primaryKey().autoIncrement(),
      )
      .addColumn('key', exact, (column) => column.notNull())
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('channel', exact, (column) => column.notNull())
      .addColumn('relay_id', exact, (column) => column.notNull().references('relays.id'))
      .addColumn('scan_id', exact, (column) => column.references('scans.id'))
      .addColumn('state', exact, (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('generation', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addColumn('first_attempt_at', 'bigint')
      .addColumn('attempt_at', 'bigint')
      .addColumn('unconfirmed_at', 'bigint')
      .addColumn('last_code', 'text')
      .addColumn('ts', 'text')
      .addColumn('finished_at', 'bigint')
      .addColumn('kind', exact, (column) => column.notNull().defaultTo('scan'))
      .addColumn('rule_id', exact)
      .addColumn('detail', 'text')
      .addColumn('parent_key', exact)
      .addColumn('digest_key', exact)
      .addColumn('thread_ts', 'text')
      .addColumn('ack_by', 'text')
      .addColumn('ack_at', 'bigint')
      .execute();
    // A scan that is gone leaves its post without one; a relay's row never goes.
    await sql`insert into outbox (seq, key, installation, team, channel, relay_id, scan_id, state, attempts, generation,
        next_at, first_attempt_at, attempt_at, unconfirmed_at, last_code, ts, finished_at, kind, rule_id, detail,
        parent_key, digest_key, thread_ts, ack_by, ack_at)
      select post.seq, post.key, post.installation, post.team, post.channel, post.relay_id, scans.id,
        case post.state when 'waiting' then 'pending' when 'doubt' then 'unconfirmed' when 'done' then 'delivered'
          when 'folded' then 'digested' when 'aside' then 'dead' else post.state end,
        post.attempts, post.generation, post.next_at, post.first_attempt_at, post.attempt_at, post.doubt_at,
        post.last_code, post.ts, post.finished_at, post.kind, post.rule_id, post.detail, post.card_key,
        post.folded_into, post.thread_ts, post.ack_by, post.ack_at
      from outbox_before as post
      join relays on relays.id = post.relay_id
      left join scans on scans.id = post.scan_id
      order by post.seq`.execute(db);
    if (kind === 'postgres') {
      await sql`select setval(pg_get_serial_sequence('outbox', 'seq'), coalesce(max(seq), 0) + 1, false) from outbox_before`.execute(
        db,
      );
    }

    await db.schema
      .createTable('message_updates')
      .addColumn('post_seq', kind === 'postgres' ? 'bigint' : 'integer', (column) =>
        column.primaryKey().references('outbox.seq').onDelete('cascade'),
      )
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('rendered_revision', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('due_at', 'bigint')
      .addColumn('updated_at', 'bigint')
      .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`insert into message_updates (post_seq, revision, rendered_revision, due_at, updated_at, failures)
      select outbox.seq, post.revision, post.shown, post.edit_at, post.edited_at, post.edit_tries
      from outbox_before as post join outbox on outbox.seq = post.seq
      where post.revision > 0 or post.edit_at is not null`.execute(db);
    await db.schema.dropTable('outbox_before').execute();

    await db.schema.createIndex('outbox_key').unique().on('outbox').column('key').execute();
    await db.schema
      .createIndex('outbox_scan')
      .on('outbox')
      .column('scan_id')
      .where(sql.ref('scan_id'), 'is not', null)
      .execute();
    await db.schema
      .createIndex('outbox_scanless')
      .on('outbox')
      .columns(['finished_at', 'seq'])
      .where(sql.ref('scan_id'), 'is', null)
      .execute();
    await db.schema
      .createIndex('outbox_open')
      .on('outbox')
      .columns(['installation', 'team', 'relay_id', 'channel', 'seq'])
      .where(sql.ref('finished_at'), 'is', null)
      .execute();
    await db.schema
      .createIndex('outbox_attempted')
      .on('outbox')
      .column('relay_id')
      .where(sql<boolean>`finished_at is null and first_attempt_at is not null`)
      .execute();
    await db.schema
      .createIndex('outbox_dead')
      .on('outbox')
      .columns(['relay_id', 'finished_at'])
      .where(sql.ref('state'), '=', sql.lit('dead'))
      .execute();
    for (const column of ['digest_key', 'parent_key']) {
      await db.schema
        .createIndex(`outbox_${column}`)
        .on('outbox')
        .columns([column, 'seq'])
        .where(sql.ref(column), 'is not', null)
        .execute();
    }
    await db.schema
      .createIndex('message_updates_due')
      .on('message_updates')
      .column('due_at')
      .where(sql.ref('due_at'), 'is not', null)
      .execute();

    await db.schema.dropIndex('lanes_due').execute();
    await db.schema.alterTable('lanes').renameTo('channel_queues').execute();
    await db.schema
      .createIndex('channel_queues_due')
      .on('channel_queues')
      .column('next_at')
      .where(sql.ref('next_at'), 'is not', null)
      .execute();
    await sql`insert into channel_queues (installation, team, channel)
      select distinct installation, team, channel from outbox where finished_at is null
      on conflict (installation, team, channel) do nothing`.execute(db);
    await db.schema
      .createTable('queue_heads')
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('channel', exact, (column) => column.notNull())
      .addColumn('relay_id', exact, (column) => column.notNull().references('relays.id'))
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('queue_heads_pk', ['relay_id', 'installation', 'team', 'channel'])
      .addForeignKeyConstraint('queue_heads_queue', ['installation', 'team', 'channel'], 'channel_queues', [
        'installation',
        'team',
        'channel',
      ])
      .modifyEnd(kind === 'sqlite' ? sql`without rowid` : sql``)
      .execute();
    await db.schema
      .createIndex('queue_heads_first')
      .on('queue_heads')
      .columns(['installation', 'team', 'channel', 'seq', 'relay_id'])
      .execute();
    await sql`insert into queue_heads (installation, team, channel, relay_id, seq)
      select installation, team, channel, relay_id, min(seq) from outbox where finished_at is null
      group by installation, team, channel, relay_id`.execute(db);

    await db.schema.alterTable('digests').renameTo('digests_before').execute();
    await db.schema
      .createTable('digests')
      .addColumn('key', exact, (column) => column.primaryKey())
      .addColumn('relay_id', exact, (column) => column.notNull().references('relays.id'))
      .addColumn('rule_id', exact, (column) => column.notNull())
      .addColumn('installation', exact, (column) => column.notNull())
      .addColumn('team', exact, (column) => column.notNull())
      .addColumn('channel', exact, (column) => column.notNull())
      .addColumn('parent_key', exact)
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .execute();
    await sql`insert into digests (key, relay_id, rule_id, installation, team, channel, parent_key, detail, due_at)
      select digest.key, relay_id, rule_id, digest.installation, digest.team, digest.channel, card_key, detail, due_at
      from digests_before as digest join relays on relays.id = digest.relay_id`.execute(db);
    await db.schema.dropTable('digests_before').execute();
    await db.schema
      .createIndex('digests_rule')
      .unique()
      .on('digests')
      .columns(['relay_id', 'rule_id', 'channel'])
      .execute();
    await db.schema.createIndex('digests_due').on('digests').column('due_at').execute();
  },
});
