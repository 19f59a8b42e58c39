/** The contents of a form's inputs, converted to and from an operation's parameters. Pure; never trims. */
import { stringify } from 'csv-stringify/sync';
import { type Option, option } from '../../block-kit/elements.js';
import { type InputField, type InputKind, keepChoice, noChoice } from './input-kind.js';
import { allValue, idOption } from './resources.js';
import { zoneOption } from './zones.js';

/** A file given in a form, as Slack describes it. */
export interface GivenFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Download URL; needs the app's token. */
  readonly url: string;
}

export type InputContent =
  | { readonly text: string }
  | { readonly picked: readonly Option[] }
  | { readonly file: GivenFile };

/** By parameter; an empty input is absent. */
export type InputContents = Readonly<Record<string, InputContent>>;

export function textOf(held: InputContent | undefined): string {
  return held && 'text' in held ? held.text : '';
}

export function pickedOf(held: InputContent | undefined): readonly Option[] {
  return held && 'picked' in held ? held.picked : [];
}

export function fileOf(held: InputContent | undefined): GivenFile | undefined {
  return held && 'file' in held ? held.file : undefined;
}

/** No key types the separator of GS1 barcodes: in a form it is written as `\x1d`. */
export function decodeBarcodeInput(text: string): string {
  return text.replace(/\\x1d/gi, '\u001d');
}

function barcodeToType(value: string): string {
  return value.replaceAll('\u001d', '\\x1d');
}

/** An input's content as raw input for validation; undefined where it was left empty or to the account. */
export function toRaw({ kind: face, param }: InputField, held: InputContent | undefined): unknown {
  switch (face.kind) {
    case 'line':
    case 'lines':
    case 'number':
    case 'date':
    case 'time':
      return textOf(held) || undefined;
    case 'barcode':
      return decodeBarcodeInput(textOf(held)) || undefined;
    case 'file':
      return fileOf(held) ?? (textOf(held).trim() || undefined);
    case 'check': {
      const on = held === undefined ? face.on : pickedOf(held).length > 0;
      return on === (param.default === '1') ? undefined : on;
    }
    case 'choice': {
      const value = pickedOf(held)[0]?.value ?? face.first;
      const isLeft = value === noChoice || value === keepChoice || value === face.first;
      return isLeft && !param.required ? undefined : value;
    }
    case 'choices':
      return valuesOf(pickedOf(held));
    case 'zone':
      return pickedOf(held)[0]?.value;
    case 'thing':
      return held && 'text' in held ? textOf(held).trim() || undefined : pickedOf(held)[0]?.value;
    case 'things': {
      if (held && 'text' in held) {
        return textOf(held).trim() || undefined;
      }
      const values = valuesOf(pickedOf(held));
      return values?.includes(allValue) ? allValue : values;
    }
  }
}

function valuesOf(options: readonly Option[]): readonly string[] | undefined {
  return options.length === 0 ? undefined : options.map((each) => each.value ?? '');
}

/** A known value as the input's content; undefined if this kind of input cannot show it. */
export function fromRaw({ kind: face, param }: InputField, raw: unknown): InputContent | undefined {
  if (raw === undefined || raw === null) {
    return undefined;
  }
  switch (face.kind) {
    case 'line':
    case 'lines':
    case 'number':
    case 'date':
    case 'time':
      return asText(plainOf(face, raw, param.type === 'records' ? (param.columns ?? []) : []));
    case 'barcode':
      return asText(barcodeToType(String(raw)));
    case 'check':
      return { picked: isOn(raw) ? [option('Yes', '1')] : [] };
    case 'choice': {
      return chosen(face.choices, [param.type === 'boolean' ? (isOn(raw) ? '1' : '0') : String(raw)]);
    }
    case 'choices':
      return chosen(face.choices, listed(raw));
    case 'zone':
      return { picked: [zoneOption(String(raw))] };
    case 'thing':
      return idsContent(face, listed(raw).slice(0, 1));
    case 'things':
      return idsContent(face, raw === allValue && !face.all ? [] : listed(raw));
    case 'file':
      return face.url && typeof raw === 'string' ? asText(raw) : undefined;
  }
}

function asText(text: string): InputContent | undefined {
  return text === '' ? undefined : { text };
}

function isOn(raw: unknown): boolean {
  return raw === true || /^(1|true|yes|on)$/i.test(String(raw));
}

function chosen(choices: readonly (readonly [string, string])[], values: readonly string[]): InputContent | undefined {
  const picked = choices.filter(([value]) => values.includes(value)).map(([value, label]) => option(label, value));
  return picked.length === 0 ? undefined : { picked };
}

function listed(raw: unknown): readonly string[] {
  const items = Array.isArray(raw) ? raw.map(String) : String(raw).split(',');
  return items.map((item) => item.trim()).filter(Boolean);
}

/** Values that cannot be ids are not shown: the problem above the input says why. */
function idsContent(
  face: Extract<InputKind, { kind: 'thing' | 'things' }>,
  ids: readonly string[],
): InputContent | undefined {
  if (face.of === 'scan' || face.of === 'upload') {
    return asText(ids.join(', '));
  }
  const known = ids.filter((id) => /^\d{1,20}$/.test(id) || (id === allValue && face.kind === 'things' && face.all));
  return known.length === 0 ? undefined : { picked: known.map((id) => idOption(face.of, id)) };
}

/** Lists and maps as typed: one line each. */
function plainOf(face: InputKind, raw: unknown, columns: readonly string[]): string {
  if (Array.isArray(raw)) {
    if (face.kind !== 'lines') {
      return raw.map(String).join(', ');
    }
    return recordLines(raw as readonly Readonly<Record<string, unknown>>[], columns);
  }
  if (typeof raw === 'object' && raw !== null) {
    const values = Object.values(raw);
    return values.some((value) => typeof value === 'object')
      ? plainOf(face, values, columns)
      : Object.entries(raw)
          .map(([name, value]) => `${name}=${String(value)}`)
          .join('\n');
  }
  return String(raw);
}

/** Empty where a record holds more than a line can. */
function recordLines(records: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]): string {
  if (records.some((record) => Object.keys(record).some((field) => !columns.includes(field)))) {
    return '';
  }
  const rows = records.map((record) => withoutEmptyEnd(columns.map((column) => cell(record[column]))));
  return stringify(rows).replace(/\n$/, '');
}

function cell(value: unknown): string {
  return value === undefined ? '' : typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
}

function withoutEmptyEnd(row: readonly string[]): readonly string[] {
  const last = row.findLastIndex((each) => each !== '');
  return row.slice(0, Math.max(1, last + 1));
}
