/**
 * The equal readings of a barcode: other texts that mean the same by GS1's rules. A reading finds a value, and nothing
 * else: it is never stored, counted or compared. Pure.
 */
import { predefinedLength } from './application-identifiers.js';
import { hasRightCheckDigit, hasValidCheckDigit } from './check-digit.js';
import { type Gs1Part, parseGs1, separator } from './parse.js';
import { expandUpcE, shortenUpcA } from './upc-e.js';

/**
 * - `spelling`: the same barcode, written in another way.
 * - `article`: the article number alone, of a barcode that also holds a batch, a date or the like.
 */
export interface EqualReading {
  readonly value: string;
  readonly kind: 'spelling' | 'article';
}

/** The identifiers that make a barcode that of a single thing: its article's number is no reading of it. */
const serials: ReadonlySet<string> = new Set(['21', '235', '250', '8006', '8026']);

/** A serial number that may begin within a field which has no certain end. */
const hiddenSerial = /.(?:21|235|250)./;

/** The readings in the order in which they are likely; none of a barcode with a serial number, or of no GS1 meaning. */
export function equalReadings(value: string): readonly EqualReading[] {
  const parts = partsOf(value);
  if (!parts || parts.some(({ ai, value: field, or }) => serials.has(ai) || (or && hiddenSerial.test(field)))) {
    return [];
  }
  const gtins = parts.filter(({ ai }) => ai === '01');
  // Where a field may end earlier, only the fields of fixed length before it are certain.
  const isCertain = !parts.some(({ or }) => or);
  const readings = [
    ...(isCertain ? spellings(parts).map((each) => ({ value: each, kind: 'spelling' }) as const) : []),
    ...(parts.length > 1 && gtins.length === 1
      ? spellings(gtins).map((each) => ({ value: each, kind: 'article' }) as const)
      : []),
  ];
  return readings.filter(
    (one, at) => one.value !== value && readings.findIndex((each) => each.value === one.value) === at,
  );
}

/** The parts of a GS1 barcode, or those that a bare article number or SSCC stands for. */
function partsOf(value: string): readonly Gs1Part[] | undefined {
  const gtin = gtinOf(value);
  if (gtin !== undefined) {
    return [{ ai: '01', value: gtin }];
  }
  return /^\d{18}$/.test(value) && hasValidCheckDigit(value) ? [{ ai: '00', value }] : parseGs1(value);
}

/** The GTIN-14 that an article number stands for. Eight digits that are a UPC-E are no EAN-8. */
function gtinOf(digits: string): string | undefined {
  const article = expandUpcE(digits) ?? (hasRightCheckDigit(digits) ? digits : '');
  return /[1-9]/.test(article) ? article.padStart(14, '0') : undefined;
}

/** The texts that mean these parts: bare numbers, then element strings, in parentheses, with a prefix, as a link. */
function spellings(parts: readonly Gs1Part[]): readonly string[] {
  const isFixed = ({ ai }: Gs1Part) => predefinedLength(ai) !== undefined;
  const fixedFirst = [...parts.filter(isFixed), ...parts.filter((part) => !isFixed(part))];
  const orders = [parts, fixedFirst];
  const elements = orders.map((all) =>
    all.map((part, n) => `${part.ai}${part.value}${isFixed(part) || n === all.length - 1 ? '' : separator}`).join(''),
  );
  const texts = [
    ...(parts.length === 1 ? bareNumbers(parts[0]!) : []),
    ...elements,
    ...orders.map((all) => all.map(({ ai, value }) => `(${ai})${value}`).join('')),
    ...orders.map((all) => all.map(({ ai, value }) => `(${ai}) ${value}`).join(' ')),
    ...[']C1', ']d2', ']Q3', ']e0', separator].flatMap((prefix) => elements.map((each) => `${prefix}${each}`)),
    link(parts),
  ];
  const meaning = meaningOf(parts);
  return texts.filter((text) => meaningOf(partsOf(text)) === meaning);
}

function bareNumbers({ ai, value }: Gs1Part): readonly string[] {
  if (ai !== '01') {
    return ai === '00' ? [value] : [];
  }
  const short = [14, 13, 12, 8].map((length) => value.slice(-length));
  return [...short, ...shortenUpcA(value.slice(2))].filter((digits) => gtinOf(digits) === value);
}

function link(parts: readonly Gs1Part[]): string {
  const [key, ...others] = parts.map(({ ai, value }) => [ai, encodeURIComponent(value)] as const);
  const inPath = others.filter(([ai]) => ['22', '10', '254', '8020'].includes(ai));
  const inQuery = others.filter((each) => !inPath.includes(each)).map(([ai, value]) => `${ai}=${value}`);
  const path = [key!, ...inPath].map(([ai, value]) => `${ai}/${value}`).join('/');
  return `https://id.gs1.org/${path}${inQuery.length > 0 ? `?${inQuery.join('&')}` : ''}`;
}

/** The parts in an order of their own, to compare; undefined where a field may end in two places. */
function meaningOf(parts: readonly Gs1Part[] | undefined): string | undefined {
  return parts === undefined || parts.some(({ or }) => or)
    ? undefined
    : parts
        .map(({ ai, value }) => `(${ai})${value}`)
        .sort()
        .join('');
}
