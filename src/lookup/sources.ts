/**
 * The two sources of a lookup: the mirror, which costs no call, and the account. Each part of an answer comes from one
 * of them and says how old it is. The account's answers are stored in the mirror, in the background.
 */
import type { Clock } from '../clock.js';
import { type Attempt, attempt } from '../codereadr/attempt.js';
import { rowOf } from '../codereadr/barcode-equality.js';
import { readExactValues } from '../codereadr/exact-values.js';
import type { CallOptions, Database, DatabaseValue } from '../codereadr/types.js';
import type { DatabaseMirror, Mirror, MirrorAnswer } from '../mirror/index.js';
import { type DatabaseAnswer, isGone } from './finding.js';
import { type BarcodeQuery, type Histories, isCopied } from './scans/histories.js';
import type { Reading } from './scans/scan-reading.js';

export type LookupMirror = Pick<Mirror, 'view' | 'values' | 'changedSince' | 'scansCopy' | 'learnValue' | 'learnScans'>;

export interface ScansPart extends Pick<DatabaseAnswer, 'at' | 'source' | 'failure'> {
  /** The account's answer for one spelling; undefined if the scans are the mirror's. */
  readonly account: Attempt<Reading | undefined>;
  /** How many days back scans were read; older ones were not. */
  readonly days?: number;
  /** The mirror's last full pass: scans deleted since then may still be among these. */
  readonly fullAt?: number | undefined;
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

  const liveValues = async (databaseId: string, options: CallOptions): Promise<DatabaseAnswer> => {
    const askedAt = clock.now();
    const mirrored = mirrorOf(databaseId);
    let at = askedAt;
    const liveRead = readExactValues(account.client, databaseId, value, {
      ...options,
      anew: isWithoutMirror,
      ...versionOf(mirrored),
      answeredAsOf: (asOf) => {
        at = asOf;
      },
    });
    const rows = await attempt(liveRead, options.signal);
    if (at >= askedAt) {
      learnValue(learnInto, mirrored, value, rows);
    }
    return { databaseId, rows, at, whole: true, source: 'account' };
  };

  const liveScans = async (subject: BarcodeQuery, options: CallOptions): Promise<ScansPart> => {
    const askedAt = clock.now();
    const found = await histories.newest(subject, options, { anew: isWithoutMirror, ...versionOf(view?.account) });
    if (found.account.ok && view && found.at >= askedAt) {
      const { scans, complete } = found.account.value;
      learnInto?.learnScans(view, subject.value, scans, complete).catch(() => undefined);
    }
    return { ...found, source: 'account' };
  };

  return {
    /** The values of one database, from the account. */
    liveValues,
    liveScans,

    /** The values from the mirror where it is sure, else from the account. */
    async values(databaseIds: readonly string[], options: CallOptions): Promise<readonly DatabaseAnswer[]> {
      const answers = mirror ? await mirror.values(databaseIds.map(mirrorOf), value) : [];
      return await Promise.all(
        databaseIds.map(async (id, index) => {
          const mirrored = mirrorOf(id);
          const recalled = recalledValues(id, answers[index], mirrored?.fetchedAt);
          if (mirror && mirrored && recalled && isAbsentIn(recalled)) {
            const isFresh = clock.now() - recalled.at < surelyAbsentMs;
            return { ...recalled, whole: isFresh && !(await mirror.changedSince(mirrored, value)) };
          }
          if (recalled?.whole) {
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
      return { account: { ok: true, value: undefined }, at, source: 'copy', days, fullAt };
    },

    /** The mirror's scans. */
    copy,

    /** The progress of the first copy, while the mirror is not complete. */
    copying: mirror && view?.copying,

    /** As of when the mirror knows of databases. */
    mirroredAt: Math.max(0, ...(view?.databases ?? []).flatMap(({ fetchedAt }) => fetchedAt ?? [])),

    /** The databases of the mirror, which stand in for the list while the account gives none. */
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
export function confirmedPart(recalled: DatabaseAnswer, asked: DatabaseAnswer, isHeld = false): DatabaseAnswer {
  const { rows } = asked;
  if (rows.ok || isGone(rows)) {
    return asked;
  }
  // A barcode that some database holds is shown as last known: to call it unknown would be a guess.
  return isHeld || !isAbsentIn(recalled)
    ? { ...recalled, failure: rows.error }
    : { ...asked, at: recalled.at, source: 'copy' };
}

/** Whether the database lacks the barcode, by its copy. */
export function isAbsentIn({ rows, source }: DatabaseAnswer): boolean {
  return source === 'copy' && rows.ok && rows.value.length === 0;
}

/** The mirror's answer, not whole where the mirror is no longer sure of it; undefined where it has none. */
function recalledValues(
  databaseId: string,
  answer: MirrorAnswer | undefined,
  fetchedAt: number | undefined,
): DatabaseAnswer | undefined {
  const mirroredAnswer = answer?.kind === 'unsure' ? answer.last : answer;
  if (answer === undefined || mirroredAnswer === undefined || fetchedAt === undefined) {
    return undefined;
  }
  return {
    databaseId,
    rows: { ok: true, value: mirroredAnswer.kind === 'absent' ? [] : [mirroredAnswer] },
    at: mirroredAnswer.at,
    whole: answer.kind !== 'unsure',
    source: 'copy',
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
