/**
 * The two sources of a lookup: the mirror, which costs no call, and the account. Each part of an answer comes from one
 * of them and says how old it is. The account's answers are stored in the mirror, in the background.
 */
import type { Clock } from '../clock.js';
import { type Attempt, attempt } from '../codereadr/attempt.js';
import { rowOf } from '../codereadr/barcode-equality.js';
import { readExactValues } from '../codereadr/exact-values.js';
import type { AccountError, CallOptions, Database, DatabaseValue } from '../codereadr/types.js';
import type { DatabaseMirror, Mirror, MirrorAnswer } from '../mirror/index.js';
import { type DatabaseAnswer, isGone } from './finding.js';
import { type BarcodeQuery, type Histories, isCopied } from './scans/histories.js';
import type { Reading } from './scans/scan-reading.js';

export type LookupMirror = Pick<Mirror, 'view' | 'values' | 'changedSince' | 'scansCopy' | 'learnValue' | 'learnScans'>;

export interface ValuesPart extends DatabaseAnswer {
  readonly at: number;
  readonly live: boolean;
  /** Whether the mirror is no longer sure of the value, and the account did not answer. */
  readonly doubtful?: boolean;
  /** Whether a complete copy younger than a minute lacks the barcode, and nobody changed it since. */
  readonly surelyAbsent?: boolean;
  /** The error with which the account did not confirm the values. */
  readonly failure?: AccountError;
}

export interface ScansPart {
  /** The account's answer for one spelling; undefined if the scans are the mirror's. */
  readonly account: Attempt<Reading | undefined>;
  readonly at: number;
  readonly live: boolean;
  /** How many days back scans were read; older ones were not. */
  readonly days?: number;
  /** The mirror's last full pass: scans deleted since then may still be among these. */
  readonly fullAt?: number | undefined;
  /** The error with which the account did not confirm the scans. */
  readonly failure?: AccountError;
}

/** The age up to which a copy needs no call for a barcode that it lacks. */
const surelyAbsentMs = 60_000;

/** Opens the sources. @param mirror undefined: everything comes from the account */
export async function openSources(
  deps: { clock: Clock; histories: Histories; mirror: LookupMirror | undefined; learnInto: LookupMirror | undefined },
  request: BarcodeQuery,
) {
  const { owner, account, value } = request;
  const { clock, histories, mirror, learnInto } = deps;
  const view = await (mirror ?? learnInto)?.view(owner);
  const copy = await mirror?.scansCopy(owner);
  const isWithoutMirror = mirror === undefined;
  const mirrorOf = (id: string) => view?.databases.find(({ databaseId }) => databaseId === id);

  const liveValues = async (databaseId: string, options: CallOptions): Promise<ValuesPart> => {
    const askedAt = clock.now();
    const mirrored = mirrorOf(databaseId);
    let at = askedAt;
    const liveRead = readExactValues(account.client, databaseId, value, {
      ...{ ...options, anew: isWithoutMirror, ...versionOf(mirrored) },
      answeredAsOf: (asOf) => {
        at = asOf;
      },
    });
    const rows = await attempt(liveRead, options.signal);
    if (at >= askedAt) {
      learnValue(learnInto, mirrored, value, rows);
    }
    return { databaseId, rows, at, live: true };
  };

  const liveScans = async (subject: BarcodeQuery, options: CallOptions): Promise<ScansPart> => {
    const askedAt = clock.now();
    const found = await histories.newest(subject, options, { anew: isWithoutMirror, ...versionOf(view?.account) });
    if (found.account.ok && view && found.at >= askedAt) {
      const { scans, complete } = found.account.value;
      learnInto?.learnScans(view, subject.value, scans, complete).catch(() => undefined);
    }
    return { ...found, live: true };
  };

  return {
    /** The values of one database, from the account. */
    liveValues,
    liveScans,

    /** The values from the mirror where it is sure, else from the account. */
    async values(databaseIds: readonly string[], options: CallOptions): Promise<readonly ValuesPart[]> {
      const answers = mirror ? await mirror.values(databaseIds.map(mirrorOf), value) : [];
      return await Promise.all(
        databaseIds.map(async (id, index) => {
          const mirrored = mirrorOf(id);
          const recalled = recalledValues(id, answers[index], mirrored?.fetchedAt);
          if (mirror && mirrored && recalled?.copiedAt !== undefined && clock.now() - recalled.at < surelyAbsentMs) {
            return { ...recalled, surelyAbsent: !(await mirror.changedSince(mirrored, value)) };
          }
          if (recalled && !recalled.doubtful) {
            return recalled;
          }
          const liveAnswer = await liveValues(id, options);
          return recalled ? confirmedPart(recalled, liveAnswer) : liveAnswer;
        }),
      );
    },

    /** The scans from the mirror where it may be sure, else from the account. */
    async scans(options: CallOptions): Promise<ScansPart> {
      if (!copy || !isCopied(value)) {
        return await liveScans(request, options);
      }
      const { at, fullAt, days } = copy;
      return { account: { ok: true, value: undefined }, at, live: false, days, fullAt };
    },

    /** The mirror's scans. */
    copy,

    /** The progress of the first copy, while the mirror is not complete. */
    copying: mirror && view?.copying,

    /** The databases of the mirror, by which names are known while the account fails. */
    mirrored: (mirror ? (view?.databases ?? []) : []).map(
      ({ databaseId: id, name = id, caseSensitive }): Database => ({ id, name, serviceIds: [], caseSensitive }),
    ),
  };
}

export type Sources = Awaited<ReturnType<typeof openSources>>;

/** The number that every change through Scandesk raises. Without a copy there is none: answers are not shared. */
function versionOf(copy: { readonly id: number; readonly changes: number } | undefined): Pick<CallOptions, 'version'> {
  return copy ? { version: `${copy.id}.${copy.changes}` } : {};
}

/**
 * The account's answer in place of the mirror's; where it gave none, the reason.
 * @param isHeld whether any database holds the barcode
 */
export function confirmedPart(recalled: ValuesPart, asked: ValuesPart, isHeld = false): ValuesPart {
  const { rows } = asked;
  if (rows.ok || isGone(rows)) {
    return asked;
  }
  // A barcode that some database holds is shown as last known: to call it unknown would be a guess.
  return isHeld || recalled.copiedAt === undefined
    ? { ...recalled, failure: rows.error }
    : { ...asked, copiedAt: recalled.copiedAt };
}

/** The mirror's answer, marked doubtful where the mirror is no longer sure of it; undefined where it has none. */
function recalledValues(
  databaseId: string,
  answer: MirrorAnswer | undefined,
  fetchedAt: number | undefined,
): ValuesPart | undefined {
  const mirroredAnswer = answer?.kind === 'unsure' ? answer.last : answer;
  if (answer === undefined || mirroredAnswer === undefined || fetchedAt === undefined) {
    return undefined;
  }
  const { at } = mirroredAnswer;
  const isAbsent = mirroredAnswer.kind === 'absent';
  return {
    databaseId,
    rows: { ok: true, value: isAbsent ? [] : [mirroredAnswer] },
    at,
    live: false,
    copiedAt: isAbsent ? at : undefined,
    doubtful: answer.kind === 'unsure',
  };
}

function learnValue(
  mirror: LookupMirror | undefined,
  database: DatabaseMirror | undefined,
  value: string,
  rows: Attempt<readonly DatabaseValue[]>,
): void {
  if (mirror && database && rows.ok) {
    const row = rowOf(rows.value, value, database.caseSensitive);
    mirror.learnValue(database, value, row).catch(() => undefined);
  }
}
