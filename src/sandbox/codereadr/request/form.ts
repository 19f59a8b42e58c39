/**
 * The parser of PHP-style forms: `values[0][value]=A` becomes arrays and maps. Values are decoded as UTF-8 and
 * otherwise unchanged.
 */
import qs from 'qs';
import type { Fields, RawValue } from './variables.js';

/** The options by which qs parses as PHP does; the limits of variables and of depth are the sandbox's own. */
const asPhp = { plainObjects: true, parameterLimit: 5000, arrayLimit: 0, depth: 6, duplicates: 'last' } as const;

/** qs leaves a text with broken percent signs undecoded; PHP, and this function, decode what can be decoded. */
function decode(text: string): string {
  const spaced = text.replace(/\+/g, ' ');
  if (!spaced.includes('%')) return spaced;
  const bytes = Buffer.from(spaced, 'utf8').toString('latin1');
  const plain = bytes.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, 'latin1').toString('utf8');
}

/** Parses a form. Never throws: parts that qs cannot parse are left out. */
export function readForm(body: string): Fields {
  return qs.parse(body, { ...asPhp, decoder: (text) => decode(text) }) as unknown as Fields;
}

/** Nests the fields of a multipart body by the brackets in their names; values stay as they came. */
export function nestFields(pairs: readonly (readonly [name: string, value: string])[]): Fields {
  const names = pairs.map(([name], index) => `${encodeURIComponent(name)}=${index}`).join('&');
  return fill(qs.parse(names, asPhp) as unknown as Fields, pairs) as Fields;
}

function fill(field: RawValue, pairs: readonly (readonly [string, string])[]): RawValue {
  if (typeof field === 'string') return pairs[Number(field)]?.[1] ?? '';
  if (Array.isArray(field)) return field.map((item) => fill(item, pairs));
  const newFields = Object.create(null) as Record<string, RawValue>;
  for (const [name, item] of Object.entries(field as Fields)) {
    newFields[name] = fill(item, pairs);
  }
  return newFields;
}
