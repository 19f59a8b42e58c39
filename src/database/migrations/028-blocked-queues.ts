/**
 * Channel queues that are blocked, since Slack takes no posts in their channel. A relay that was paused for such a channel
 * goes on: its channels become blocked queues, due at once, and its posts have another day from now.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { MigrationFor } from './migration.js';

const channelGone = [
  ...['channel_not_found', 'is_archived', 'not_in_channel', 'is_inactive', 'restricted_action'],
  ...['restricted_action_read_only_channel', 'restricted_action_thread_locked'],
  ...['restricted_action_thread_only_channel', 'restricted_action_non_threadable_channel'],
].map((code) => sql.lit(`slack.${code}`));

export const blockedQueues: MigrationFor = (kind) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    for (const column of ['blocked_at', 'retry_at', 'notified_at', 'notify_claimed_until'] as const) {
      await db.schema.alterTable('channel_queues').addColumn(column, 'bigint').execute();
    }
    await db.schema.alterTable('channel_queues').addColumn('blocked_code', 'text').execute();
    await db.schema
      .alterTable('channel_queues')
      .addColumn('blocked_tries', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createIndex('channel_queues_blocked')
      .on('channel_queues')
      .columns(['installation', 'team', 'channel'])
      .where(sql.ref('blocked_at'), 'is not', null)
      .execute();
    await endPauses(db, kind === 'sqlite' ? sql`unixepoch() * 1000` : sql`(extract(epoch from now()) * 1000)::bigint`);
  },
});

async function endPauses(db: Kysely<unknown>, now: RawBuilder<unknown>): Promise<void> {
  const ofQueue = sql`outbox.installation = channel_queues.installation and outbox.team = channel_queues.team
    and outbox.channel = channel_queues.channel and outbox.finished_at is null`;
  const paused = sql`(select id from relays where paused_why = 'channel_gone')`;
  const failed = sql`outbox.last_code in (${sql.join(channelGone)})`;
  await sql`update channel_queues set next_at = ${now}
    where exists (select 1 from outbox where ${ofQueue} and outbox.relay_id in ${paused})`.execute(db);
  // Its creator knows already; a notice that was not sent yet is sent for the queue.
  await sql`update channel_queues set blocked_at = ${now}, retry_at = ${now},
      blocked_code = (select min(outbox.last_code) from outbox
        where ${ofQueue} and outbox.relay_id in ${paused} and ${failed}),
      notified_at = (select max(relays.owner_notified_at) from outbox join relays on relays.id = outbox.relay_id
        where ${ofQueue} and relays.paused_why = 'channel_gone' and ${failed})
    where exists (select 1 from outbox where ${ofQueue} and outbox.relay_id in ${paused} and ${failed})`.execute(db);
  await sql`update outbox set next_at = ${now}, attempts = 0,
      first_attempt_at = case when state = 'unconfirmed' then ${now} else null end
    where finished_at is null and first_attempt_at is not null and state in ('pending', 'unconfirmed')
      and relay_id in ${paused}`.execute(db);
  await sql`update relays set paused_at = null, paused_why = null, owner_notified_at = null, notify_claimed_until = null
    where paused_why = 'channel_gone'`.execute(db);
}
