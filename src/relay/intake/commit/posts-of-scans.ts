/** Stored posts of scans, read and revised in bulk: a second submit changes what their messages show. */
import type { Selectable, Transaction } from 'kysely';
import { bulkStatement } from '../../../database/bulk.js';
import type { OutboxTable, Schema } from '../../../database/schema.js';
import type { PostOfScan } from './rules.js';

type Trx = Transaction<Schema>;

/** Keys of a scan's posts are its id, and its id with `.` and a number: `.` sorts before `/`. */
const ofScan = `(outbox.key = asked.id or (outbox.key > asked.id || '.' and outbox.key < asked.id || '/'))
  and outbox.scan_id = asked.id`;

type PostRow = Pick<Selectable<OutboxTable>, 'channel' | 'kind' | 'rule_id' | 'detail' | 'state'> & {
  readonly scan_id: string;
};

const selectPosts = bulkStatement(
  { id: 'text' },
  ({ asked }) => `
    select outbox.scan_id, outbox.channel, outbox.kind, outbox.rule_id, outbox.detail, outbox.state
    from ${asked} cross join outbox where ${ofScan} order by outbox.seq`,
);

const revise = bulkStatement(
  { id: 'text', at: 'bigint' },
  ({ asked }) => `
    update outbox set revision = outbox.revision + 1, edit_at = coalesce(outbox.edit_at, asked.at)
    from ${asked} where ${ofScan} and outbox.state <> 'folded'`,
);

export async function postsOfScans(
  trx: Trx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly PostOfScan[]>> {
  const found = new Map<string, PostOfScan[]>();
  const rows = await selectPosts<PostRow>(
    trx,
    ids.map((id) => ({ id })),
  );
  for (const { scan_id, channel, kind, rule_id, detail, state } of rows) {
    const post = { channel, kind, rule: rule_id ?? undefined, detail: detail ?? undefined, folded: state === 'folded' };
    found.set(scan_id, [...(found.get(scan_id) ?? []), post]);
  }
  return found;
}

export async function reviseMessages(
  trx: Trx,
  completed: readonly { readonly id: string; readonly at: number }[],
): Promise<void> {
  await revise(trx, completed);
}
