/**
 * Owns what a posted scan's variables mean (contract, scan to URL). Values are never trimmed, parsed or changed; what has no
 * meaning here is a property of the scan.
 */
import { hash } from 'node:crypto';
import { RelayError } from './errors.js';
import type { Variables } from './form.js';
import type { VariableName } from './settings.js';
import type { ReceivedScan } from './types.js';

/** What the variables tell of a scan. */
export type ToldScan = Pick<
  ReceivedScan,
  'tid' | 'sid' | 'userid' | 'udid' | 'scanid' | 'givenStatus' | 'givenText' | 'scannedAtUtc' | 'answers' | 'properties'
>;

const fields = {
  tid: 'tid',
  sid: 'sid',
  userid: 'userid',
  udid: 'udid',
  scanid: 'scanid',
  status: 'givenStatus',
  text: 'givenText',
  scanned_at_utc: 'scannedAtUtc',
} as const;

/** Told in another way already, or by the sender's clock and zone: kept with the variables as they came, shown nowhere. */
const unshown = new Set(['received_at_utc', 'timestamp', 'device_timestamp']);

/** `answers[12]`, and `answers[12][]` for one of several. */
const question = /^(questions|answers)\[([^[\]]*)\](?:\[[^[\]]*\])?$/;

/** What separates several answers in one. */
export const answerSeparator = '|^|';

/** A postback template's names for our variables. */
export type GivenNames = { readonly [Name in VariableName]?: string };

/** @throws RelayError `relay.no_barcode` */
export function readScan(variables: Variables, names: GivenNames = {}): ToldScan {
  const told: { -readonly [Field in (typeof fields)[keyof typeof fields]]?: string } = {};
  const questions = new Map<string, string>();
  const answers = new Map<string, string>();
  const properties = new Map<string, string>();
  const lists = new Map<string, number>();

  const meaning = meaningOf(variables, names);

  for (const [given, value] of variables) {
    const name = meaning(given);
    if (name === undefined) {
      properties.set(listed(given, lists), value);
      continue;
    }
    if (Object.hasOwn(fields, name)) {
      told[fields[name as keyof typeof fields]] = value;
      continue;
    }
    if (unshown.has(name)) {
      continue;
    }
    const [, kind, id = ''] = question.exec(name) ?? [];
    if (kind === 'questions') {
      questions.set(id, value);
    } else if (kind === 'answers') {
      const before = answers.get(id);
      const goesOn = before !== undefined && name.endsWith(']') && name !== `answers[${id}]`;
      answers.set(id, goesOn ? `${before}${answerSeparator}${value}` : value);
    } else {
      properties.set(listed(name, lists), value);
    }
  }

  const { tid } = told;
  if (!tid) {
    throw new RelayError('relay.no_barcode', 'tid is missing or empty');
  }
  return {
    tid,
    ...said('sid', told.sid),
    ...said('userid', told.userid),
    ...said('udid', told.udid),
    ...said('scanid', told.scanid),
    ...said('givenStatus', told.givenStatus),
    ...(told.givenText === undefined ? {} : { givenText: told.givenText }),
    ...said('scannedAtUtc', told.scannedAtUtc),
    answers: [...answers].map(([questionId, answer]) => ({
      questionId,
      ...said('question', questions.get(questionId)),
      answer,
    })),
    properties: [...properties].map(([name, value]) => ({ name, value })),
  };
}

/**
 * The same text for the same scan posted again: a device that got no answer posts it until it gets one. Undefined where one
 * of the variables is missing that tell two scans of one barcode apart (templates leave some out): never a repeat then.
 * The time stands in front so that scans of one hour lie side by side in the index: a hash alone would have every scan of a
 * commit write a page of its own.
 */
export function repeatKey({ sid, udid, userid, tid, scannedAtUtc }: ToldScan): string | undefined {
  return sid && udid && userid && scannedAtUtc
    ? `${scannedAtUtc.slice(0, 19)} ${hash('sha256', JSON.stringify([sid, udid, userid, tid, scannedAtUtc]), 'base64url')}`
    : undefined;
}

/**
 * Our name for what was posted under another; undefined where a name of ours means something else. Who posts without the
 * template (a device does, directly) is understood as ever.
 */
function meaningOf(variables: Variables, names: GivenNames): (name: string) => string | undefined {
  const given = new Set(variables.map(([name]) => baseOf(name)));
  const renamed = Object.entries(names).filter(([, theirs]) => given.has(theirs));
  if (renamed.length === 0) {
    return (name) => name;
  }
  const ours = new Map(renamed.map(([own, theirs]) => [theirs, own]));
  const taken = new Set(renamed.map(([own]) => own));
  return (name) => {
    const base = baseOf(name);
    const own = ours.get(base);
    return own === undefined ? (taken.has(base) ? undefined : name) : own + name.slice(base.length);
  };
}

/** `answers` of `answers[12]`. */
function baseOf(name: string): string {
  const at = name.indexOf('[');
  return at === -1 ? name : name.slice(0, at);
}

/** An empty id, status or time is one that was not told. */
function said<Name extends string>(name: Name, value: string | undefined): { [name in Name]?: string } {
  return value ? ({ [name]: value } as { [name in Name]: string }) : {};
}

/** `photo[]` is the next of a list, as PHP counts: `photo[0]`, `photo[1]`. */
function listed(name: string, lists: Map<string, number>): string {
  if (!name.endsWith('[]')) {
    return name;
  }
  const n = lists.get(name) ?? 0;
  lists.set(name, n + 1);
  return `${name.slice(0, -1)}${n}]`;
}
