/**
 * Which of many barcodes exist in the mirror: as values of an owner's databases, or scanned. Asked by whole keys, in
 * batches that never hold the event loop for long. What the last complete pass did not meet may be deleted: left out.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isLostInAnswers } from '../codereadr/barcode-equality.js';
import { isStorableText } from '../database/bind-values.js';
import type { Owner } from '../ownership.js';
import { mirrorKey } from './key.js';
import type { MirrorReader } from './reader.js';
import type { DatabaseMirror, DatabaseMirrorStore } from './tables/databases.js';
import type { MirroredScans } from './tables/scans.js';
import { lostText } from './tables/values.js';

export interface ExistingValues {
  /** The first `most` that exist, in their order and as the account spells them. */
  existing(
    owner: Owner,
    databaseIds: readonly string[],
    candidates: readonly string[],
    most: number,
  ): Promise<readonly string[]>;
}

/** Questions in one query. */
const atOnce = 500;

export function createExistingValues(deps: {
  readonly reader: Pick<MirrorReader, 'view'>;
  readonly databases: Pick<DatabaseMirrorStore, 'load'>;
  readonly scans: Pick<MirroredScans, 'scanned'>;
}): ExistingValues {
  const { reader, databases, scans } = deps;

  /** For each candidate, its spelling where a database holds it. */
  async function held(mirrors: readonly DatabaseMirror[], candidates: readonly string[]): Promise<Map<string, string>> {
    const questions = candidates.flatMap((candidate) => mirrors.map((mirror) => ({ candidate, mirror })));
    const answers = await databases.load(
      questions.map(({ candidate, mirror }) => ({ mirrorId: mirror.id, key: mirrorKey(candidate, mirror) })),
    );
    const found = new Map<string, string>();
    for (const [n, { candidate, mirror }] of questions.entries()) {
      const answer = answers[n];
      if (answer && answer.round >= mirror.round && answer.sureFrom < lostText && !found.has(candidate)) {
        found.set(candidate, answer.value ?? candidate);
      }
    }
    return found;
  }

  return {
    async existing(owner, databaseIds, candidates, most) {
      const { databases: all, account } = await reader.view(owner);
      const mirrors = all.filter(({ databaseId }) => databaseIds.includes(databaseId));
      const askable = candidates.filter((one) => isStorableText(one) && !isLostInAnswers(one));
      const size = Math.max(1, Math.floor(atOnce / (mirrors.length + 1)));
      const found = new Set<string>();
      for (let from = 0; from < askable.length && found.size < most; from += size) {
        const some = askable.slice(from, from + size);
        const values = mirrors.length > 0 ? await held(mirrors, some) : new Map<string, string>();
        const scanned = account?.filled ? await scans.scanned(account, some) : new Set<string>();
        for (const one of some) {
          const spelling = values.get(one) ?? (scanned.has(one) ? one : undefined);
          if (spelling !== undefined && found.size < most) {
            found.add(spelling);
          }
        }
        await nextTurn();
      }
      return [...found];
    },
  };
}
