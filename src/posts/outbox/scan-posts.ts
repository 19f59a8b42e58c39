/** The posts of a scan, for a second submit that completes it. */
import type { Selectable, Transaction } from 'kysely';
import { bulkStatement } from '../../database/bulk.js';
import type { OutboxTable, PostKind, Schema } from '../../database/schema.js';
import { kindsWhere } from '../kinds.js';
import { requestUpdatesSql } from './message-updates.js';

type Trx = Transaction<Schema>;

/** A stored post of a scan: its message in a channel, or its place in a digest. */
export interface PostOfScan {
  readonly channel: string;
  readonly kind: PostKind;
  /** The rule that decided how to post; undefined for a watch. */
  readonly rule: string | undefined;
  readonly detail: string | undefined;
  /** Whether the post has no message of its own: a digest covers it. */
  readonly digested: boolean;
}

type PostRow = Pick<Selectable<OutboxTable>, 'channel' | 'rule_id' | 'detail' | 'state'> & {
  readonly scan_id: string;
  readonly kind: PostKind;
};

const selectPosts = bulkStatement(
  { id: 'text' },
  ({ input }) => `
    select outbox.scan_id, outbox.channel, outbox.kind, outbox.rule_id, outbox.detail, outbox.state
    from ${input} cross join outbox where outbox.scan_id = input.id order by outbox.seq`,
);

const unshown = kindsWhere(({ delivery }) => delivery !== 'message').map((kind) => `'${kind}'`);

const revise = bulkStatement({ id: 'text', at: 'bigint' }, ({ input }) =>
  requestUpdatesSql(`
    select outbox.seq, 1, input.at from ${input} cross join outbox
    where outbox.scan_id = input.id and outbox.state <> 'digested' and outbox.kind not in (${unshown.join(', ')})
    order by outbox.seq`),
);

/** The posts of each scan, in order of acceptance. */
export async function postsOfScans(
  trx: Trx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly PostOfScan[]>> {
  const postsByScan = new Map<string, PostOfScan[]>();
  const rows = await selectPosts<PostRow>(
    trx,
    ids.map((id) => ({ id })),
  );
  for (const { scan_id, channel, kind, rule_id, detail, state } of rows) {
    const common = { channel, kind, rule: rule_id ?? undefined, detail: detail ?? undefined };
    postsByScan.set(scan_id, [...(postsByScan.get(scan_id) ?? []), { ...common, digested: state === 'digested' }]);
  }
  return postsByScan;
}

/** Makes the updates of messages about changed scans due. */
export async function reviseMessages(
  trx: Trx,
  completed: readonly { readonly id: string; readonly at: number }[],
): Promise<void> {
  await revise(trx, completed);
}
