/** The notice that an erasure is done, to the admin who asked for the erasure. */
import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../../database/schema.js';
import { type Owner, ownerKey } from '../../ownership.js';
import type { NoticeJobs, NoticePost, PostMaker } from '../../posts/index.js';
import type { Erasure } from '../../workspaces/erasures.js';

/** The stored data of the notice. */
const noticeSchema = z.object({ what: z.literal('erased'), at: z.number() });
export type ErasedNotice = z.output<typeof noticeSchema>;

export function erasedNotice(notices: NoticeJobs) {
  return (owner: Owner, { who, at }: Erasure, trx: Transaction<Schema>): Promise<void> =>
    notices.add(
      {
        key: `erased:${ownerKey(owner)}:${at}`,
        owner,
        source: { kind: 'workspace', id: owner.team },
        people: [who],
        detail: JSON.stringify({ what: 'erased', at } satisfies ErasedNotice),
      },
      trx,
    );
}

export const erasedNoticeMaker: PostMaker = {
  async of({ key, generation, owner, channel, detail }): Promise<NoticePost<ErasedNotice> | undefined> {
    const { data } = noticeSchema.safeParse(JSON.parse(detail ?? '{}'));
    return data && { key, generation, owner, channel, kind: 'notice', notice: data };
  },
  gone: async () => 'reject',
};
