/**
 * Validation of barcode values: 1 to 100 characters without NUL. `trim_value` trims by default
 * (docs/account-api.md#a-call); a value is never changed otherwise.
 */
export type ReadValue = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly why: string };

export const longestValue = 100;

/** PHP's trim: space, tab, line feed, carriage return, NUL, vertical tab. JavaScript's set differs. */
const edges = /^[ \t\n\r\0\x0b]+|[ \t\n\r\0\x0b]+$/g;

export function readValue(text: string, trim: boolean): ReadValue {
  const value = trim ? text.replace(edges, '') : text;
  if (value === '') return { ok: false, why: 'the value is empty.' };
  if ([...value].length > longestValue)
    return { ok: false, why: `the value is longer than ${longestValue} characters.` };
  if (value.includes('\0')) return { ok: false, why: 'the value holds a NUL character.' };
  return { ok: true, value };
}
