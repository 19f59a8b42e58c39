/**
 * The barcodes that exist in the mirror, among many: as values of an owner's databases, or scanned. They are found by
 * whole keys, in batches that never hold the event loop for long. What the last complete pass missed is left out.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { asAnswered, isLostInAnswers, sameSpelling } from '../codereadr/barcode-equality.js';
import { isStorableText } from '../database/bind-values.js';
import type { Owner } from '../ownership.js';
import { mirrorKey } from './key.js';
import type { MirrorReader } from './reader.js';
import type { DatabaseMirror, DatabaseMirrorStore } from './tables/databases.js';
import type { MirroredScans } from './tables/scans.js';
import { isLostText } from './tables/values.js';

/** `lost`: the account has a value that reads so, with control characters that its answers leave out. */
export interface ExistingValue {
  readonly value: string;
  readonly lost: boolean;
}

/** The most candidates in one query. */
const candidatesPerStatement = 500;

export function createExistingValues(deps: {
  readonly reader: Pick<MirrorReader, 'view'>;
  readonly databases: Pick<DatabaseMirrorStore, 'load'>;
  readonly scans: Pick<MirroredScans, 'scanned'>;
}) {
  const { reader, databases, scans } = deps;

  /** For each candidate, the value that a database holds. */
  async function findHeldValues(
    mirrors: readonly DatabaseMirror[],
    candidates: readonly string[],
  ): Promise<Map<string, ExistingValue>> {
    const questions = candidates.flatMap((candidate) => mirrors.map((mirror) => ({ candidate, mirror })));
    const answers = await databases.load(
      questions.map(({ candidate, mirror }) => ({
        mirrorId: mirror.id,
        key: mirrorKey(asAnswered(candidate), mirror),
      })),
    );
    const valuesHeld = new Map<string, ExistingValue>();
    for (const [n, { candidate, mirror }] of questions.entries()) {
      const confirmed = answers[n]!.filter(({ round }) => round >= mirror.round);
      const lost = confirmed.filter((one) => isLostText(one, mirror) && sameSpelling(candidate, one.value));
      const plain = isLostInAnswers(candidate) ? [] : confirmed.filter((one) => !isLostText(one, mirror));
      const match = plain.find(({ value }) => value === candidate) ?? plain[0];
      if (match && valuesHeld.get(candidate)?.lost !== false) {
        valuesHeld.set(candidate, { value: match.value, lost: false });
      } else if (lost.length > 0 && !valuesHeld.has(candidate)) {
        valuesHeld.set(candidate, { value: candidate, lost: true });
      }
    }
    return valuesHeld;
  }

  return {
    /**
     * The first `maxValues` candidates that exist, in their order and as the account spells them. A candidate with
     * control characters exists where the account has a value that reads like it.
     */
    async existing(
      owner: Owner,
      databaseIds: readonly string[],
      candidates: readonly string[],
      maxValues: number,
    ): Promise<readonly ExistingValue[]> {
      const { databases: allMirrors, account } = await reader.view(owner);
      const mirrors = allMirrors.filter(({ databaseId }) => databaseIds.includes(databaseId));
      const askable = candidates.filter(isStorableText);
      const chunkSize = Math.max(1, Math.floor(candidatesPerStatement / (mirrors.length + 1)));
      const valuesHeld = new Map<string, ExistingValue>();
      for (let start = 0; start < askable.length && valuesHeld.size < maxValues; start += chunkSize) {
        const chunk = askable.slice(start, start + chunkSize);
        const values = mirrors.length > 0 ? await findHeldValues(mirrors, chunk) : new Map<string, ExistingValue>();
        const carried = chunk.filter((one) => !isLostInAnswers(one));
        const scanned = account?.filled ? await scans.scanned(account, carried) : new Set<string>();
        for (const candidate of chunk) {
          const one = values.get(candidate) ?? (scanned.has(candidate) ? { value: candidate, lost: false } : undefined);
          if (one !== undefined && valuesHeld.size < maxValues) {
            valuesHeld.set(JSON.stringify([one.value, one.lost]), one);
          }
        }
        await nextTurn();
      }
      return [...valuesHeld.values()];
    },
  };
}

export type ExistingValues = ReturnType<typeof createExistingValues>;
