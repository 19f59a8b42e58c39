/** Redaction of inputs for messages and the audit log: no passwords, URLs and JSON without possible secrets. Pure. */
import type { FileInput, Operation, Param } from '../../codereadr/operations/operation.js';
import { cut } from '../block-kit/elements.js';
import type { Values } from './types.js';

const mostCharacters = 300;
const mostCharactersInRecords = 100;

/** An input as the audit log stores it and messages show it. */
export function inputOnRecord(operation: Operation, input: Values): Values {
  const known = Object.entries(operation.input).filter(([name]) => input[name] !== undefined);
  return Object.fromEntries(known.map(([name, param]) => [name, onRecord(param, input[name])]));
}

/** The input without secret parameters, for the step after the operation, and for values that prefill a form. */
export function withoutSecrets(operation: Operation, input: Values): Values {
  return Object.fromEntries(Object.entries(input).filter(([name]) => operation.input[name]?.secret !== true));
}

/** A URL as shown: any part after its host may be a secret. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) {
    return url === '' ? '' : '…';
  }
  const { origin, pathname, search, hash } = new URL(url);
  return pathname.length > 1 || search !== '' || hash !== '' ? `${origin}/…` : origin;
}

function onRecord(param: Param, value: unknown): unknown {
  if (param.secret) {
    return '(hidden)';
  }
  switch (param.type) {
    case 'url':
      return shownUrl(String(value));
    case 'json':
      return jsonNames(String(value));
    case 'file':
      return typeof value === 'string' ? shownUrl(value) : (value as FileInput).name;
    case 'records':
      return (value as readonly Values[]).map((record) =>
        Object.fromEntries(
          Object.entries(record).map(([field, content]) => [field, shortened(content, mostCharactersInRecords)]),
        ),
      );
    default:
      return shortened(value, mostCharacters);
  }
}

function shortened(value: unknown, most: number): unknown {
  return typeof value === 'string' ? cut(value, most) : value;
}

/** The names in a JSON object; its values may be secrets. */
export function jsonNames(json: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(json === '' ? '{}' : json);
    return typeof parsed === 'object' && parsed !== null ? Object.keys(parsed).map((name) => cut(name, 60)) : [];
  } catch {
    return [];
  }
}
