/**
 * Repeat keys: equal for the same scan posted again. A unique index on them refuses to store a scan twice. Scans from
 * before SQLite had them get theirs in the background; of those stored twice only the first does.
 */
import { hash } from 'node:crypto';
import type { Clock } from '../../clock.js';
import { bulkStatement } from '../../database/bulk.js';
import { createPace } from '../../database/pace.js';
import type { Store } from '../../workspaces/types.js';

/** The fields that distinguish two scans of one barcode. */
export interface RepeatedScan {
  readonly sid?: string | null | undefined;
  readonly udid?: string | null | undefined;
  readonly userid?: string | null | undefined;
  readonly tid: string;
  readonly scannedAtUtc?: string | null | undefined;
}

/**
 * Undefined if a variable is missing (templates may leave some out): such a scan is never a repeat. Short enough for an
 * index, for any barcode. The time comes first so that scans of one hour are adjacent: a hash alone would make
 * every scan write a page of its own.
 */
export function repeatKey({ sid, udid, userid, tid, scannedAtUtc }: RepeatedScan): string | undefined {
  if (!sid || !udid || !userid || !scannedAtUtc) {
    return undefined;
  }
  const all = JSON.stringify([sid, udid, userid, tid, scannedAtUtc]);
  return `${scannedAtUtc.slice(0, 19)} ${hash('sha256', all, 'base64url')}`;
}

export interface RepeatKeyBackfill {
  /** Fills the keys that are missing, in slices, until all are there or `stop` ends it. Returns how many scans it read. */
  run(stop: AbortSignal): Promise<number>;
}

const fill = bulkStatement(
  { id: 'text', repeat_key: 'text' },
  ({ input }) => `
    update scans set repeat_key = input.repeat_key from ${input}
    where scans.id = input.id and scans.repeat_key is null and not exists (
      select 1 from scans as first where first.relay_id = scans.relay_id and first.repeat_key = input.repeat_key
    )`,
);

export function createRepeatKeyBackfill(store: Pick<Store, 'db' | 'kind'>, clock: Clock): RepeatKeyBackfill {
  return {
    async run(stop) {
      const pace = createPace(store, clock, stop);
      let read = 0;
      for (let some = 1; some > 0 && !stop.aborted; read += some) {
        some = await pace.slice(async (trx, limit) => {
          const from = await trx.selectFrom('repeat_key_backfill').select('after').executeTakeFirst();
          if (!from) {
            return 0;
          }
          const scans = await trx
            .selectFrom('scans')
            .select(['id', 'relay_id', 'sid', 'udid', 'userid', 'tid', 'scanned_at_utc as scannedAtUtc', 'repeat_key'])
            .where('id', '>', from.after)
            .orderBy('id')
            .limit(limit)
            .execute();
          const first = new Map<string, { id: string; repeat_key: string }>();
          for (const scan of scans) {
            const key = scan.repeat_key === null ? repeatKey(scan) : undefined;
            if (key !== undefined && !first.has(`${scan.relay_id}:${key}`)) {
              first.set(`${scan.relay_id}:${key}`, { id: scan.id, repeat_key: key });
            }
          }
          await fill(trx, [...first.values()]);
          const last = scans.at(-1);
          await (last
            ? trx.updateTable('repeat_key_backfill').set({ after: last.id }).execute()
            : trx.deleteFrom('repeat_key_backfill').execute());
          return scans.length;
        });
      }
      return read;
    },
  };
}
