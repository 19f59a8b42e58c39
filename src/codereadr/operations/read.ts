/**
 * Owns how an answer's elements are read: what may be absent, once or many times always comes out the same way.
 * Refuses to change a text: no trimming, no numbers but counts.
 */
import { AccountError } from '../types.js';
import type { Element } from '../xml/xml.js';

/** Every child of that name, in order. */
export function all(parent: Element, name: string): readonly Element[] {
  return parent.children.filter((child) => child.name === name);
}

export function first(parent: Element, name: string): Element | undefined {
  return parent.children.find((child) => child.name === name);
}

/** The text of the first child of that name; empty where there is none. */
export function text(parent: Element, name: string): string {
  return first(parent, name)?.text ?? '';
}

/** As `text`, but `undefined` where the child is absent or empty. */
export function told(parent: Element, name: string): string | undefined {
  return text(parent, name) || undefined;
}

export function attribute(element: Element | undefined, name: string): string {
  return element?.attributes[name] ?? '';
}

/** A count: digits only, `undefined` for anything else. */
export function count(parent: Element, name: string): number | undefined {
  return whole(text(parent, name));
}

export function whole(digits: string): number | undefined {
  return /^\s*-?\d{1,15}\s*$/.test(digits) ? Number(digits) : undefined;
}

/** The ids of linked things: `<service id="3"/>`, or the id as text where the attribute is missing. */
export function ids(parent: Element, name: string): readonly string[] {
  return all(parent, name).map(idOf).filter(Boolean);
}

export function idOf(element: Element): string {
  return element.attributes.id ?? element.text.trim();
}

/** A thing with a name: `<device id="3">Gate</device>`. */
export function named(parent: Element, name: string): { readonly id: string; readonly name: string } {
  const element = first(parent, name);
  return { id: attribute(element, 'id'), name: element?.text ?? '' };
}

/** The id that every create answers. */
export function newId(root: Element): { readonly id: string } {
  const id = told(root, 'id')?.trim();
  if (!id) {
    throw new AccountError('account.broken', 'the answer to a create names no id');
  }
  return { id };
}

/** For operations that answer with their status alone. */
export function nothing(): Record<string, never> {
  return {};
}
