/**
 * The parser of PHP-style forms: `values[0][value]=A` becomes arrays and maps. Values are decoded as UTF-8 and
 * otherwise unchanged.
 */
import qs from 'qs';
import type { Fields, Given } from './variables.js';

/** About PHP's own limit. */
const mostVariables = 5000;

/** qs leaves a text with broken percent signs undecoded; PHP, and this function, decode what can be decoded. */
function decode(text: string): string {
  const spaced = text.replace(/\+/g, ' ');
  if (!spaced.includes('%')) return spaced;
  const bytes = Buffer.from(spaced, 'utf8').toString('latin1');
  const plain = bytes.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, 'latin1').toString('utf8');
}

/** Never throws: what qs cannot parse is left out. */
export function readForm(body: string): Fields {
  return qs.parse(body, {
    decoder: (text) => decode(text),
    plainObjects: true,
    parameterLimit: mostVariables,
    arrayLimit: 0,
    depth: 6,
    duplicates: 'last',
    ignoreQueryPrefix: false,
  }) as unknown as Fields;
}

/** The same for the fields of a multipart body: names with brackets, values as they came. */
export function nestFields(pairs: readonly (readonly [name: string, value: string])[]): Fields {
  const parsed = qs.parse(pairs.map(([name], index) => `${encodeURIComponent(name)}=${index}`).join('&'), {
    plainObjects: true,
    parameterLimit: mostVariables,
    arrayLimit: 0,
    depth: 6,
    duplicates: 'last',
  }) as unknown as Fields;
  return fill(parsed, pairs) as Fields;
}

function fill(given: Given, pairs: readonly (readonly [string, string])[]): Given {
  if (typeof given === 'string') return pairs[Number(given)]?.[1] ?? '';
  if (Array.isArray(given)) return given.map((item) => fill(item, pairs));
  const filled = Object.create(null) as Record<string, Given>;
  for (const [name, item] of Object.entries(given as Fields)) {
    filled[name] = fill(item, pairs);
  }
  return filled;
}
