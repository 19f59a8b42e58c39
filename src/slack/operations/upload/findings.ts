/** Findings about a file of values: what a person should know before it is sent, by kind, with the first lines. */

/**
 * `shortened`: a spreadsheet shortened or changed the barcode. `number`: a number of a spreadsheet, whose leading zeros
 * only its format may show. `not_exact`: an export says that the account shows the barcode without some characters.
 */
export type FindingKind =
  | 'apostrophe'
  | 'apostrophe_removed'
  | 'column'
  | 'first_sheet'
  | 'invisible'
  | 'no_response'
  | 'not_exact'
  | 'number'
  | 'shortened'
  | 'spaces'
  | 'spreadsheet_error'
  | 'twice'
  | 'windows_1252';

export interface FoundAt {
  readonly line: number;
  readonly example: string;
}

export interface Finding {
  readonly kind: FindingKind;
  readonly count: number;
  /** The first places. */
  readonly places: readonly FoundAt[];
}

const mostPlaces = 3;

/** Characters that nobody sees, but for a space and the separators of GS1 barcodes. */
export const invisible = /(?![\u0004\u001c-\u001f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

export function createFindings() {
  const byKind = new Map<FindingKind, { count: number; places: FoundAt[] }>();
  return {
    add(kind: FindingKind, place?: FoundAt): void {
      const finding = byKind.get(kind) ?? { count: 0, places: [] };
      finding.count += 1;
      if (place && finding.places.length < mostPlaces) finding.places.push(place);
      byKind.set(kind, finding);
    },
    of: (kind: FindingKind): Finding | undefined => {
      const finding = byKind.get(kind);
      return finding && { kind, ...finding };
    },
  };
}

export type Findings = ReturnType<typeof createFindings>;
