/** The wire encoding of a validated input: form fields with PHP names, and the file separately. */
import type { FileInput, Operation, Param } from './operation.js';

export type EncodedField = readonly [name: string, value: string];

export interface Encoded {
  /** The fields in the declaration's order. */
  readonly fields: readonly EncodedField[];
  readonly file?: { readonly name: string; readonly file: FileInput; readonly maxBytes: number };
}

/** The form fields of an input, without `section`, `action` and `api_key`. */
export function encodeInput(operation: Operation, input: Readonly<Record<string, unknown>>): Encoded {
  const fields: EncodedField[] = [];
  let file: Encoded['file'];
  for (const [name, param] of Object.entries(operation.input)) {
    const value = input[name];
    if (value === undefined) {
      continue;
    }
    if (param.type === 'file' && typeof value !== 'string') {
      file = { name, file: value as FileInput, maxBytes: param.maxBytes };
    } else {
      fields.push(...encodeParam(name, param, value));
    }
  }
  return file ? { fields, file } : { fields };
}

function encodeParam(name: string, param: Param, value: unknown): readonly EncodedField[] {
  if (param.type === 'pairs') {
    return Object.entries(value as Readonly<Record<string, string>>).map(([key, text]) => [`${name}[${key}]`, text]);
  }
  if (param.type === 'records') {
    return (value as readonly Readonly<Record<string, unknown>>[]).flatMap((record, index) =>
      Object.entries(param.fields).flatMap(([field, declared]) =>
        record[field] === undefined ? [] : encodeParam(`${name}[${index}][${field}]`, declared, record[field]),
      ),
    );
  }
  if (typeof value === 'boolean') {
    return [[name, value ? '1' : '0']];
  }
  if (value === '' && param.clearedBy !== undefined) {
    return [[name, param.clearedBy]];
  }
  return [[name, Array.isArray(value) ? value.join(',') : String(value)]];
}
