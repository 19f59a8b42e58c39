/**
 * The parts of a GS1 barcode. A value is parsed only if there is evidence that it is a GS1 barcode, and only if every
 * part is well formed. Parts stay text. Pure.
 */
import { identifiers, predefinedLength } from './application-identifiers.js';
import { hasFormat } from './format.js';

export interface Gs1Part {
  readonly ai: string;
  readonly value: string;
  /**
   * Another reading from this part on, in which it ends earlier: without separators nobody knows where a field of
   * variable length ends.
   */
  readonly or?: readonly Gs1Part[];
}

export const separator = '\u001d';

/** The prefixes with which a reader marks a GS1 barcode: GS1-128, DataBar, Data Matrix, QR, DotCode. */
const symbology = /^\](?:C1|e[0-3]|d2|Q3|J1)/;

/** The title of a field on its line, `BATCH/LOT = (10)A1`, as the account's `gs1_config` has devices send it. */
const title = /^[^(=\n][^=\n]* = (?=\(\d{2,4}\))/gm;

/**
 * Evidence is a symbology identifier, a separator (FNC1), identifiers in parentheses, a GS1 Digital Link, or 01 and a
 * valid GTIN-14, or 00 and a valid SSCC. Undefined without evidence, or where a part is not well formed.
 */
export function parseGs1(value: string): readonly Gs1Part[] | undefined {
  const parts = candidateParts(value);
  return parts && isComplete(parts) ? parts : undefined;
}

function isComplete(parts: readonly Gs1Part[]): boolean {
  return parts.length > 0 && parts.every(isWellFormed);
}

function isWellFormed({ ai, value }: Gs1Part): boolean {
  const identifier = identifiers.get(ai);
  return identifier !== undefined && hasFormat(identifier.format, value);
}

function candidateParts(value: string): readonly Gs1Part[] | undefined {
  if (/^https?:\/\//i.test(value)) {
    return digitalLinkParts(value);
  }
  const fields = value.replace(symbology, '');
  const untitled = fields.replace(title, '');
  if (/^\(\d{2,4}\)/.test(untitled)) {
    return bracketedParts(untitled);
  }
  const isMarked = fields !== value || fields.includes(separator);
  const parts = isMarked || /^(?:01\d{14}|00\d{18})/.test(fields) ? elementParts(fields) : undefined;
  return parts && isComplete(parts) && !fields.includes(separator) ? parts.map(withOtherReading) : parts;
}

/** Adds the other reading to a part that may end earlier: that with most dates and check digits, then fewest parts. */
function withOtherReading(part: Gs1Part): Gs1Part {
  const { ai, value } = part;
  if (predefinedLength(ai) !== undefined) {
    return part;
  }
  const readings = Array.from({ length: value.length }, (_, end): readonly Gs1Part[] => {
    const laterParts = elementParts(value.slice(end));
    return laterParts ? [{ ai, value: value.slice(0, end) }, ...laterParts] : [];
  }).filter(isComplete);
  const [or] = readings.sort((a, b) => checkedPartCount(b) - checkedPartCount(a) || a.length - b.length);
  return or ? { ...part, or } : part;
}

/** How many parts have a date or a check digit, which random text seldom has. */
export function checkedPartCount(parts: readonly Gs1Part[]): number {
  return parts.filter(({ ai }) => /:(?:check|da)/.test(identifiers.get(ai)?.format ?? '')).length;
}

/** Splits a text into its fields: a field of predefined length ends by its length, any other one at a separator. */
function elementParts(fields: string): readonly Gs1Part[] | undefined {
  const gs1Parts: Gs1Part[] = [];
  let textLeft = fields.startsWith(separator) ? fields.slice(1) : fields;
  while (textLeft !== '') {
    const ai = identifierOf(textLeft);
    if (ai === undefined) {
      return undefined;
    }
    const index = textLeft.indexOf(separator);
    const end = Math.min(predefinedLength(textLeft) ?? textLeft.length, index < 0 ? textLeft.length : index);
    gs1Parts.push({ ai, value: textLeft.slice(ai.length, end) });
    textLeft = textLeft.slice(textLeft[end] === separator ? end + 1 : end);
  }
  return gs1Parts;
}

/** Whether a text without separators begins as GS1 barcodes do, and goes on with a field that a separator may end. */
export function mayNeedSeparators(value: string): boolean {
  let textLeft = value.replace(symbology, '');
  if (!/^0[012]\d{14}/.test(textLeft) || textLeft.includes(separator)) {
    return false;
  }
  for (let length = predefinedLength(textLeft); length !== undefined; length = predefinedLength(textLeft)) {
    textLeft = textLeft.slice(length);
  }
  return textLeft !== '';
}

/** The identifier at the beginning of a field: no identifier begins with another one. */
function identifierOf(field: string): string | undefined {
  return [2, 3, 4].map((length) => field.slice(0, length)).find((ai) => identifiers.has(ai));
}

/**
 * The parts of `(01)09501101530003(10)A(1)`: a parenthesis around text that is no identifier belongs to the value. No
 * value holds a space or a line end: those are the print's.
 */
function bracketedParts(printed: string): readonly Gs1Part[] {
  const text = printed.replace(/\s/g, '');
  const starts = [...text.matchAll(/\((\d{2,4})\)/g)].filter(([, ai], n) => n === 0 || identifiers.has(ai!));
  return starts.map((start, n) => {
    const value = text.slice(start.index + start[0].length, starts[n + 1]?.index);
    return { ai: start[1]!, value: withoutPoint(start[1]!, value) };
  });
}

/** The digits of a measure that a device sent with its decimal point, as `gs1_config` may ask: `1.250` of 3103. */
function withoutPoint(ai: string, value: string): string {
  const { decimals, format } = identifiers.get(ai) ?? {};
  const [, whole = '', fraction] = /^(\d+)\.(\d+)$/.exec(value) ?? [];
  const isMeasure = decimals !== undefined && fraction?.length === Number(ai.at(-1));
  return isMeasure ? `${whole}${fraction}`.padStart(format === 'n6' ? 6 : 0, '0') : value;
}

/** The identifiers that may be a Digital Link's key; its path goes on with qualifiers, its query with attributes. */
const linkKeys = new Set([
  '00',
  '01',
  '253',
  '255',
  '401',
  '402',
  '414',
  '415',
  '417',
  '8003',
  '8004',
  '8006',
  '8010',
  '8013',
  '8017',
  '8018',
]);

function digitalLinkParts(value: string): readonly Gs1Part[] | undefined {
  if (!URL.canParse(value)) {
    return undefined;
  }
  const { pathname, searchParams } = new URL(value);
  const segments = pathname.split('/').map(decoded);
  const keyIndex = segments.findLastIndex(
    (segment, n) => linkKeys.has(segment ?? '') && (segments.length - n) % 2 === 0,
  );
  if (keyIndex < 0 || segments.includes(undefined)) {
    return undefined;
  }
  const path = segments.slice(keyIndex) as string[];
  const inPath = Array.from({ length: path.length / 2 }, (_, n) => ({ ai: path[n * 2]!, value: path[n * 2 + 1]! }));
  const inQuery = [...searchParams].filter(([ai]) => identifiers.has(ai)).map(([ai, field]) => ({ ai, value: field }));
  return [...inPath, ...inQuery].map(({ ai, value: field }) => ({
    ai,
    // A Digital Link may leave out the zeros in front of a shorter GTIN.
    value: ai === '01' && /^(?:\d{8}|\d{12,13})$/.test(field) ? field.padStart(14, '0') : field,
  }));
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
