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

export function textOf(content: InputContent | undefined): string {
  return content && 'text' in content ? content.text : '';
}

export function pickedOf(content: InputContent | undefined): readonly Option[] {
  return content && 'picked' in content ? content.picked : [];
}

export function fileOf(content: InputContent | undefined): GivenFile | undefined {
  return content && 'file' in content ? content.file : undefined;
}

/** No key types the separator of GS1 barcodes: in a form it is written as `\x1d`. */
export function decodeBarcodeInput(text: string): string {
  return text.replace(/\\x1d/gi, '\u001d');
}

function barcodeToType(value: string): string {
  return value.replaceAll('\u001d', '\\x1d');
}

/** An input's content as raw input for validation; undefined where it was left empty or to the account. */
export function toRaw({ kind: inputKind, param }: InputField, content: InputContent | undefined): unknown {
  switch (inputKind.kind) {
    case 'line':
    case 'lines':
    case 'number':
    case 'date':
    case 'time':
      return textOf(content) || undefined;
    case 'barcode':
      return decodeBarcodeInput(textOf(content)) || undefined;
    case 'file':
      return fileOf(content) ?? (textOf(content).trim() || undefined);
    case 'check': {
      const on = content === undefined ? inputKind.on : pickedOf(content).length > 0;
      return on === (param.default === '1') ? undefined : on;
    }
    case 'choice': {
      const value = pickedOf(content)[0]?.value ?? inputKind.first;
      const isLeft = value === noChoice || value === keepChoice || value === inputKind.first;
      return isLeft && !param.required ? undefined : value;
    }
    case 'choices':
      return valuesOf(pickedOf(content));
    case 'zone':
      return pickedOf(content)[0]?.value;
    case 'resource':
      return content && 'text' in content ? textOf(content).trim() || undefined : pickedOf(content)[0]?.value;
    case 'resources': {
      if (content && 'text' in content) {
        return textOf(content).trim() || undefined;
      }
      const values = valuesOf(pickedOf(content));
      return values?.includes(allValue) ? allValue : values;
    }
  }
}

function valuesOf(options: readonly Option[]): readonly string[] | undefined {
  return options.length === 0 ? undefined : options.map((each) => each.value ?? '');
}

/** A known value as the input's content; undefined if this kind of input cannot show it. */
export function fromRaw({ kind: inputKind, param }: InputField, raw: unknown): InputContent | undefined {
  if (raw === undefined || raw === null) {
    return undefined;
  }
  switch (inputKind.kind) {
    case 'line':
    case 'lines':
    case 'number':
    case 'date':
    case 'time':
      return asText(plainOf(inputKind, raw, param.type === 'records' ? (param.columns ?? []) : []));
    case 'barcode':
      return asText(barcodeToType(String(raw)));
    case 'check':
      return { picked: isOn(raw) ? [option('Yes', '1')] : [] };
    case 'choice': {
      return chosen(inputKind.choices, [param.type === 'boolean' ? (isOn(raw) ? '1' : '0') : String(raw)]);
    }
    case 'choices':
      return chosen(inputKind.choices, listed(raw));
    case 'zone':
      return { picked: [zoneOption(String(raw))] };
    case 'resource':
      return idsContent(inputKind, listed(raw).slice(0, 1));
    case 'resources':
      return idsContent(inputKind, raw === allValue && !inputKind.all ? [] : listed(raw));
    case 'file':
      return inputKind.url && typeof raw === 'string' ? asText(raw) : undefined;
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
  inputKind: Extract<InputKind, { kind: 'resource' | 'resources' }>,
  ids: readonly string[],
): InputContent | undefined {
  if (inputKind.of === 'scan' || inputKind.of === 'upload') {
    return asText(ids.join(', '));
  }
  const known = ids.filter(
    (id) => /^\d{1,20}$/.test(id) || (id === allValue && inputKind.kind === 'resources' && inputKind.all),
  );
  return known.length === 0 ? undefined : { picked: known.map((id) => idOption(inputKind.of, id)) };
}

/** Lists and maps as typed: one line each. */
function plainOf(inputKind: InputKind, raw: unknown, columns: readonly string[]): string {
  if (Array.isArray(raw)) {
    if (inputKind.kind !== 'lines') {
      return raw.map(String).join(', ');
    }
    return recordLines(raw as readonly Readonly<Record<string, unknown>>[], columns);
  }
  if (typeof raw === 'object' && raw !== null) {
    const values = Object.values(raw);
    return values.some((value) => typeof value === 'object')
      ? plainOf(inputKind, values, columns)
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
