/**
 * The lookup of a barcode that no database holds as it is written, by its equal readings. They are searched in the copy
 * of the account; the account itself is asked about a few of them, and only where nothing is copied.
 */
import { equalReadings } from '../gs1/readings.js';
import type { LookupRequest } from './assemble.js';
import { isAbsent, isUnknown } from './finding.js';
import type { SuggestionMirror } from './suggestions.js';
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
    const readings =
      isAbsent(found) && !wasAdmitted(found)
        ? equalReadings(`${symbology}${request.value}`).filter(({ value }) => value !== request.value)
        : [];
    if (readings.length === 0) {
      return found;
    }
    const values = readings.map(({ value }) => value);
    const ids = found.findings.map(({ database }) => database.id);
    const [copied] = (await mirror?.existing(request.owner, ids, values, 1)) ?? [];
    const isCopied = mirror !== undefined && found.asOf !== undefined && found.asOf.copying === undefined;
    // A number is the form in which databases hold articles.
    const numbers = values.filter((value) => /^\d+$/.test(value));
    const candidates = copied ? [copied.value] : isCopied ? [] : numbers.slice(0, mostAsked);
    for (const value of candidates) {
      const other = await lookUp({ ...request, value });
      if (!isUnknown(other)) {
        const kind = readings.find((reading) => reading.value === value)?.kind ?? 'spelling';
        const scans = found.history.kind === 'read' ? found.history.summary.total : found.history.scans.length;
        return { ...other, reading: { typed: request.value, kind, scans } };
      }
    }
    return found;
  };
}

/** Whether somebody was let in by the text as it was looked up: then that is what its card has to say. */
function wasAdmitted({ history }: Lookup): boolean {
  return (
    history.scans.some(({ status }) => status === 'valid') || (history.kind === 'read' && history.summary.valid > 0)
  );
}
