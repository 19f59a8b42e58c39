/**
 * Readers of an answer's elements: absent, single and repeated elements give values of the same type. Texts stay
 * unchanged: no trimming, and only counts become numbers.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AccountError } from '../types.js';
import type { Element } from '../xml/xml.js';

export function childrenNamed(parent: Element, name: string): readonly Element[] {
  return parent.children.filter((child) => child.name === name);
}

export function firstNamed(parent: Element, name: string): Element | undefined {
  return parent.children.find((child) => child.name === name);
}

/** The text of the first child with the given name; empty where there is none. */
export function text(parent: Element, name: string): string {
  return firstNamed(parent, name)?.text ?? '';
}

/** As `text`, but `undefined` where the child is absent or empty. */
export function optionalText(parent: Element, name: string): string | undefined {
  return text(parent, name) || undefined;
}

export function attribute(element: Element | undefined, name: string): string {
  return element?.attributes[name] ?? '';
}

/** The count in a child: a whole number, `undefined` for any other text. */
export function count(parent: Element, name: string): number | undefined {
  return integer(text(parent, name));
}

export function integer(digits: string): number | undefined {
  return /^\s*-?\d{1,15}\s*$/.test(digits) ? Number(digits) : undefined;
}

/** The ids of linked resources: `<service id="3"/>`, or the text as id where the attribute is missing. */
export function ids(parent: Element, name: string): readonly string[] {
  return childrenNamed(parent, name).map(idOf).filter(Boolean);
}

export function idOf(element: Element): string {
  return element.attributes.id ?? element.text.trim();
}

/** A resource with a name: `<device id="3">Gate</device>`. */
export function idAndName(parent: Element, name: string): { readonly id: string; readonly name: string } {
  const element = firstNamed(parent, name);
  return { id: attribute(element, 'id'), name: element?.text ?? '' };
}

/** The number of items that a list's answer states: of this page or of all, the reference does not say. */
export function countIn(root: Element): { readonly count?: number } {
  const items = count(root, 'count');
  return items === undefined ? {} : { count: items };
}

/** The id of a created resource, from the answer. */
export function newId(root: Element): { readonly id: string } {
  const id = optionalText(root, 'id')?.trim();
  if (!id) {
    throw new AccountError('account.broken', 'the answer to a create names no id');
  }
  return { id };
}

/** The reader for operations whose answer is their status alone. */
export function readNothing(): Record<string, never> {
  return {};
}

/** How many elements are read in one turn of the event loop: a few milliseconds. */
const itemsPerTurn = 250;

/** As `map`, without holding the event loop for long. */
export async function mapInTurns<T>(
  elements: readonly Element[],
  read: (element: Element) => T,
): Promise<readonly T[]> {
  const results: T[] = [];
  for (let from = 0; from < elements.length; from += itemsPerTurn) {
    if (from > 0) {
      await nextTurn();
    }
    results.push(...elements.slice(from, from + itemsPerTurn).map(read));
  }
  return results;
}
