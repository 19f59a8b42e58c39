/** Declaration of the section `limits`. */
import type { Element } from '../xml/xml.js';
import { operation } from './operation.js';
import { attribute, firstNamed, integer } from './read.js';

/** Calls left and allowed: `Infinity` when unlimited, `undefined` where the account did not say. */
export interface CallLimit {
  readonly left: number | undefined;
  readonly limit: number | undefined;
}

function callLimit(root: Element, period: string): CallLimit {
  const element = firstNamed(root, period);
  return { left: calls(attribute(element, 'left')), limit: calls(attribute(element, 'limit')) };
}

function calls(text: string): number | undefined {
  const number = integer(text);
  return number === -1 ? Number.POSITIVE_INFINITY : number;
}

export const retrieve = operation('limits', 'retrieve', {
  title: 'Calls left',
  effect: 'read',
  input: {},
  output: (root) => ({ minute: callLimit(root, 'minute'), day: callLimit(root, 'day') }),
});
