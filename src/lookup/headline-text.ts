/** The text of a headline: plain text, the same for every reader. Pure. */
import type { Named } from '../codereadr/types.js';
import { countOf, eitherOf, listOf, plural } from '../english.js';
import { resultInText, resultWords } from '../scans/result-words.js';
import type { SeenScan } from '../scans/seen-scan.js';
import type { DatabaseFinding, Lookup, Validator } from './types.js';

/** The longest name in a title: the text after it must still fit on the line. */
const longestName = 50;
const longestText = 100;
/** The most names in a sentence: nobody reads one with more. */
const mostNames = 3;

type Databases = readonly { readonly database: Named }[];

export function notCheckedTitle(unchecked: Databases | 'databases' | 'none' | 'copy' | 'scans'): string {
  const texts = {
    databases: 'the account’s databases could not be listed',
    none: 'no database was searched',
    copy: 'the copy of the account is too old',
    scans: 'its scans could not be loaded',
  };
  return `${resultWords.not_validated}: ${typeof unchecked === 'string' ? texts[unchecked] : `${nameOrCount(unchecked)} could not be searched`}`;
}

/** The title for a value in another spelling, which may be another barcode's value. */
export function spelledTitle({ database, value }: { readonly database: Named; readonly value: string }): string {
  return `Not sure: ${shortened(database.name)} spells it “${shortened(value)}”`;
}

export function scannedAsTitle(value: string): string {
  return `Not sure: it was scanned as “${shortened(value)}”`;
}

export function disagreeTitle(valid: Databases, invalid: Databases): string {
  return `${resultWords.valid} in ${nameOrCount(valid)}, ${resultInText('invalid')} in ${nameOrCount(invalid)}`;
}

/**
 * The title of an unknown barcode. It names the databases where they fit, and says so where there are or may be others.
 * @param notAsked the account's other databases; undefined where it is not known whether there are any
 */
export function unknownTitle(findings: readonly DatabaseFinding[], notAsked: Lookup['notAsked']): string {
  const all = notAsked?.length === 0;
  const searched = `, the only ${plural(findings.length, 'database')} searched`;
  const named = eitherOf(findings.map(({ database }) => shortened(database.name)));
  return findings.length <= mostNames && named.length <= longestText
    ? `${resultWords.unknown}: not in ${named}${all ? '' : searched}`
    : `${resultWords.unknown}: not in ${all ? 'any of the account’s' : 'the'} ${findings.length} databases${all ? '' : ' searched'}`;
}

/** Why no database was searched, though the account listed its databases. */
export function goneNote(notAsked: Lookup['notAsked']): string[] {
  return [
    notAsked?.length === 0
      ? 'The account has no databases.'
      : 'The databases chosen for lookups are no longer in the account. An admin can choose others with /scandesk connect.',
  ];
}

/** The title of a scanned barcode. @param times undefined: there may be scans that were not counted */
export function scannedTitle(times: number | undefined): string {
  return `${resultWords.valid}, scanned ${times === undefined ? 'before' : timesText(times)}`;
}

/**
 * The title of a barcode with an admission that nobody can tell the meaning of any more.
 * @param gate where it was admitted, as it is now; undefined: nobody knows it
 */
export function scannedAtTitle(
  { status, service }: SeenScan,
  gate: Validator | undefined,
  namesOf: (databaseIds: readonly string[]) => readonly string[],
): string {
  const name = gate?.name ?? service.name;
  const scanned = `${resultWords.valid}, scanned at ${name === '' ? 'an unknown service' : shortened(name)}`;
  if (status === 'other') {
    return `${scanned}, with a result that isn’t known`;
  }
  if (!gate) {
    return name === '' ? scanned : `${scanned}, which isn’t among the account’s services`;
  }
  if (gate.removed) {
    return `${scanned}, which was removed`;
  }
  const shown = namesOf(gate.databaseIds.slice(0, mostNames)).map((each) => shortened(each));
  return gate.now === 'refuses'
    ? `${scanned}, which would find it not valid now`
    : `${scanned}, which checks ${shown.length === 0 ? 'nothing now' : listOf(shown)}`;
}

/** @param open the validators that would still admit the ticket: then it is not used everywhere */
export function usedTitle(closed: readonly Validator[], open: readonly Validator[]): string {
  return open.length > 0 ? `${resultWords.used} at ${namesOf(closed)}` : resultWords.used;
}

/** The title with the database's or the service's response, shortened to fit one line. */
export function withText(title: string, text = ''): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? title : `${title}: ${shortened(line, longestText)}`;
}

export function openNote(validators: readonly Validator[]): string[] {
  return validators.length > 0 ? [`Not used yet at ${namesOf(validators)}.`] : [];
}

function namesOf(validators: readonly Validator[]): string {
  const names = validators.slice(0, mostNames).map(({ name }) => shortened(name));
  const unnamedCount = validators.length - names.length;
  return `${names.join('; ')}${unnamedCount > 0 ? ` and ${unnamedCount} more` : ''}`;
}

/** The title where no scan was found, but older scans were not read. */
export function noneSinceTitle(days: number): string {
  return `${resultWords.valid}, no admission in ${daysText(days)}`;
}

export function spanNote(days: number): string[] {
  return [`Scans from more than ${daysText(days)} ago were not loaded.`];
}

function daysText(days: number): string {
  return days === 1 ? 'a day' : `${days.toLocaleString('en-US')} days`;
}

/** The note that says why a headline is not confirmed though its values and scans are. */
export const oldListsNote =
  'The account’s lists couldn’t be loaded again: services and databases added since then are missing here.';

/** The note that says why the scan behind the headline is in no list. */
export const notKeptNote = 'The scan itself has been deleted.';

/** The note that not all scans were read. @param gone whether older ones are deleted, or were not read */
export function incompleteNote(read: number, gone = false): string[] {
  if (gone) {
    return ['Older scans are no longer stored.'];
  }
  return [
    read === 0
      ? 'Older scans were not loaded.'
      : `Only the last ${plural(read, 'scan was', `${read} scans were`)} loaded.`,
  ];
}

function timesText(times: number): string {
  return plural(times, 'once', countOf(times, 'time'));
}

function nameOrCount(databases: Databases): string {
  const [only] = databases;
  return databases.length === 1 && only ? shortened(only.database.name) : `${databases.length} databases`;
}

function shortened(text: string, longest = longestName): string {
  const letters = [...text];
  return text.trim() === ''
    ? '(no name)'
    : letters.length > longest
      ? `${letters.slice(0, longest - 1).join('')}…`
      : text;
}
