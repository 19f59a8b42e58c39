/** The wire encoding of a validated input: form fields with PHP names, and the file separately. */
import type { FileInput, Operation, Param } from './operation.js';

export type EncodedField = readonly [name: string, value: string];

export interface Encoded {
  /** In the declaration's order. */
  readonly fields: readonly EncodedField[];
  readonly file?: { readonly name: string; readonly file: FileInput; readonly maxBytes: number };
}

/** The form fields of an input, without `section`, `action` and `api_key`. */
export function encodeInput(operation: Operation, input: Readonly<Record<string, unknown>>): Encoded {
  const fields: EncodedField[] = [];
  let file: Encoded['file'];
  for (const [name, variable] of Object.entries(operation.input)) {
    const value = input[name];
    if (value === undefined) {
      continue;
    }
    if (variable.type === 'file' && typeof value !== 'string') {
      file = { name, file: value as FileInput, maxBytes: variable.maxBytes };
    } else {
      fields.push(...encodeVariable(name, variable, value));
    }
  }
  return file ? { fields, file } : { fields };
}

function encodeVariable(name: string, variable: Param, value: unknown): readonly EncodedField[] {
  if (variable.type === 'pairs') {
    return Object.entries(value as Readonly<Record<string, string>>).map(([key, text]) => [`${name}[${key}]`, text]);
  }
  if (variable.type === 'records') {
    return (value as readonly Readonly<Record<string, unknown>>[]).flatMap((record, index) =>
      Object.entries(variable.fields).flatMap(([field, declared]) =>
        record[field] === undefined ? [] : encodeVariable(`${name}[${index}][${field}]`, declared, record[field]),
      ),
    );
  }
  if (typeof value === 'boolean') {
    return [[name, value ? '1' : '0']];
  }
  return [[name, Array.isArray(value) ? value.join(',') : String(value)]];
}
