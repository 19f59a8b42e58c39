/**
 * The lookup of a barcode that no database holds as it is written, by its equal readings. They are searched in the copy
 * of the account; the account itself is asked about a few of them, and only where nothing is copied.
 */
import { AccountError } from '../codereadr/types.js';
import { equalReadings } from '../gs1/readings.js';
import type { LookupRequest } from './assemble.js';
import { isAbsent, isUnknown } from './finding.js';
import type { SuggestionMirror } from './suggestions/suggest.js';
import type { Lookup } from './types.js';

/** The most readings that the account is asked about, each a call for each database. */
const mostAsked = 4;

/** `symbology`: the prefix with which a picture's reader marked the barcode. */
export type ReadingRequest = LookupRequest & { readonly symbology?: string | undefined };

export function createLookupByReading(
  lookUp: (request: LookupRequest) => Promise<Lookup>,
  mirror: Pick<SuggestionMirror, 'existing'> | undefined,
) {
  return async ({ symbology = '', ...request }: ReadingRequest): Promise<Lookup> => {
    const found = await lookUp(request);
    // What was admitted keeps its own card, unless a relay admitted it by a reading.
    const readingGates = found.gates.filter((gate) => gate.readings).flatMap((gate) => gate.databaseIds);
    const isAdmitted = wasAdmitted(found);
    const readings =
      isAbsent(found) && (!isAdmitted || readingGates.length > 0)
        ? equalReadings(`${symbology}${request.value}`).filter(({ value }) => value !== request.value)
        : [];
    if (readings.length === 0) {
      return found;
    }
    const values = readings.map(({ value }) => value);
    const ids = found.findings.map(({ database }) => database.id);
    const copied = (await mirror?.existing(request.owner, ids, values, mostAsked)) ?? [];
    const isCopied = mirror !== undefined && found.greenMs !== undefined && found.copying === undefined;
    // A number is the form in which databases hold articles.
    const numbers = values.filter((value) => /^\d+$/.test(value));
    const isAsked = copied.length === 0 && !isCopied;
    const candidates = isAsked ? numbers.slice(0, mostAsked) : copied.map((each) => each.value);
    let scanned = found;
    for (const value of candidates) {
      const other = await lookUp({ ...request, value }).catch(noAnswer);
      if (!other) {
        break;
      }
      const kind = readings.find((reading) => reading.value === value)?.kind ?? 'spelling';
      const scans = found.history.kind === 'read' ? found.history.summary.total : found.history.scans.length;
      const reading = { typed: request.value, kind, scans };
      const held = other.findings.filter((finding) => finding.kind === 'known').map(({ database }) => database.id);
      if (isAdmitted ? held.some((id) => readingGates.includes(id)) : held.length > 0) {
        return isAdmitted ? { ...found, findings: other.findings, reading } : { ...other, reading };
      }
      // A reading that was scanned, and is in no database, says less than one that a database holds.
      scanned = scanned === found && !isAdmitted && !isUnknown(other) ? { ...other, reading } : scanned;
    }
    return scanned;
  };
}

/** An account that does not answer about a reading leaves the answer about the text as it is. */
function noAnswer(error: unknown): undefined {
  if (!(error instanceof AccountError)) {
    throw error;
  }
}

/** Whether somebody was let in by the text as it was looked up: then that is what its card has to say. */
function wasAdmitted({ history }: Lookup): boolean {
  return (
    history.scans.some(({ status }) => status === 'valid') || (history.kind === 'read' && history.summary.valid > 0)
  );
}
