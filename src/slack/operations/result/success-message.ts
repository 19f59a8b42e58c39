/** The success message of an operation: its own template, filled with the input, shown exactly. Pure. */
import type { Operation, Param } from '../../../codereadr/operations/operation.js';
import { countOf, plural } from '../../../english.js';
import { cut } from '../../block-kit/elements.js';
import { barcodeElement, bold, type LinePart } from '../../block-kit/text.js';
import type { Values } from '../types.js';

const longest = 150;

/** The most ids in a sentence; more are only counted. */
const mostIds = 5;

/**
 * @param shownInput the input, redacted
 * @param names the known names of the ids in the input, and the given names of files
 * @param id the id of the created record
 */
export function successMessage(
  { title, success: doneText, input }: Pick<Operation, 'title' | 'success' | 'input'>,
  shownInput: Values,
  {
    names = {},
    id,
  }: { readonly names?: Readonly<Record<string, string>> | undefined; readonly id?: string | undefined },
): LinePart[] {
  const parts = (doneText ?? `Done: ${title}`).split(/( ?\{\w+\})/).filter((part) => part !== '');
  const elements = parts.flatMap((part): LinePart[] => {
    const name = /^ ?\{(\w+)\}$/.exec(part)?.[1];
    if (name !== undefined) {
      const elements = elementsFor(input[name], shownInput[name], names[name]);
      return part.startsWith(' ') && elements.length > 0 ? [bold(' '), ...elements] : elements;
    }
    return [bold(part)];
  });
  return [...elements, bold(id === undefined ? '.' : ` (ID ${id}).`)];
}

/** A parameter in the sentence; empty where no value was given: a service may have no name. */
function elementsFor(param: Param | undefined, value: unknown, nameOfValue: string | undefined): LinePart[] {
  if (param === undefined || value === undefined) {
    return [];
  }
  switch (param.type) {
    case 'id':
    case 'ids':
      return [bold(resourcesText(param.of, Array.isArray(value) ? value.map(String) : String(value), nameOfValue))];
    case 'records':
      return [bold(Array.isArray(value) ? countOf(value.length, 'value') : 'values')];
    case 'barcode':
      return [barcodeElement(String(value))];
    default:
      return [bold(cut(nameOfValue ?? String(value), longest))];
  }
}

/** `the service Gate A (ID 1021)`, `the services with the IDs 1021, 1022`, `all users`, `12 scans`. */
function resourcesText(kind: string, ids: string | readonly string[], name: string | undefined): string {
  if (ids === 'all') {
    return `all ${kind}s`;
  }
  const list = typeof ids === 'string' ? [ids] : ids;
  if (list.length > mostIds) {
    return countOf(list.length, kind);
  }
  const recordName = name ?? `with the ${plural(list.length, 'ID')} ${list.join(', ')}`;
  return `the ${plural(list.length, kind)} ${cut(recordName, longest)}`;
}
