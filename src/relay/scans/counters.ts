/**
 * Counter definitions: the subjects a relay counts its scans by, and what a counter holds.
 * Counting starts with the first setting that needs it and never stops, so counts stay exact when settings change.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';

export const subjects = ['value', 'device', 'user', 'service', 'relay'] as const;
export type Subject = (typeof subjects)[number];

/** What of a scan tells which one it is. */
export interface CountedScan {
  readonly tid: string;
  readonly sid?: string;
  readonly userid?: string;
  readonly udid?: string;
  /** What the value is counted as, where that is not its own spelling: a database may take `abc` and `ABC` for one. */
  readonly sameAs?: string;
}

/** `last`: the moments of so many acceptances are remembered, for "at most n within a time". */
export type Counting = { readonly [Name in Subject]?: { readonly last?: number } };

export const countingShape: z.ZodType<Counting> = z.partialRecord(
  z.enum(subjects),
  z.object({ last: z.number().int().min(1).optional() }),
) as z.ZodType<Counting>;

/** All there was of a subject before this scan. Moments are milliseconds. */
export interface Count {
  /** Scans, whatever was found. */
  readonly seen: number;
  readonly firstAt?: number;
  readonly lastAt?: number;
  /** Valid ones. */
  readonly accepted: number;
  readonly lastAcceptedAt?: number;
  /**
   * When the first of the last n valid ones was accepted, n being the relay's `last` for this subject: so many were accepted
   * since then. Undefined while there were fewer.
   */
  readonly nthAcceptedAt?: number;
}

export const nothingCounted: Count = { seen: 0, accepted: 0 };

/** What the commit tells a relay that decides: exact, for whoever else writes waits until it is done. */
export interface Counts {
  /** Of the subject that this scan belongs to. Nothing where the scan does not tell it, or the relay does not count it. */
  of(subject: Subject): Count;
}

/** Longer ones go into indexes as their hash: PostgreSQL takes no entry past 2,704 bytes. */
const longestKey = 200;

/** What a key holds for a text: the text, or its hash where it is long. The sign in front keeps the two apart. */
export function indexed(text: string): string {
  return text.length <= longestKey ? `=${text}` : `#${hash('sha256', text, 'base64url')}`;
}

/**
 * Under which key the scan counts, a value by what it counts as; undefined where it does not tell the subject. No key of a
 * value's own spelling is that of values counted together.
 */
export function countKey(subject: Subject, scan: CountedScan): string | undefined {
  const { tid, sameAs } = scan;
  if (subject === 'value' && sameAs !== undefined && spellingsOf(tid, sameAs).length > 1) {
    return `~${indexed(sameAs)}`;
  }
  const text = textOf(subject, scan);
  return text === undefined ? undefined : indexed(text);
}

/** A key that a scan counts under. */
export interface CountedKey {
  readonly key: string;
  /** Of a value: the spellings by which scans that were stored uncounted are found for it. */
  readonly spellings: readonly string[];
}

/**
 * All of them. A value that counts as others too counts by its own spelling as well: what is one value to a database today may
 * be several tomorrow.
 */
export function countedKeys(subject: Subject, scan: CountedScan): readonly CountedKey[] {
  const key = countKey(subject, scan);
  if (key === undefined) {
    return [];
  }
  const { tid, sameAs } = scan;
  const own = subject === 'value' ? indexed(tid) : key;
  const alone = { key: own, spellings: [tid] };
  return key === own || sameAs === undefined ? [alone] : [alone, { key, spellings: spellingsOf(tid, sameAs) }];
}

/** Those in which barcodes are printed and typed: no index knows of mixtures. One alone: it has no case. */
function spellingsOf(tid: string, sameAs: string): readonly string[] {
  return [...new Set([tid, sameAs, sameAs.toUpperCase(), tid.toLowerCase(), tid.toUpperCase()])];
}

function textOf(subject: Subject, scan: CountedScan): string | undefined {
  switch (subject) {
    case 'value':
      return scan.tid;
    case 'device':
      return scan.udid;
    case 'user':
      return scan.userid;
    case 'service':
      return scan.sid;
    case 'relay':
      return '';
  }
}

/** What a relay counts once `more` is needed, too. How far back moments are remembered is as `more` says. */
export function addCounting(before: Counting, more: Counting): Counting {
  return Object.fromEntries(
    subjects
      .filter((subject) => before[subject] !== undefined || more[subject] !== undefined)
      .map((subject) => [subject, more[subject] ?? {}]),
  );
}
