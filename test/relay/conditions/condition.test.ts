import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { condition } from '../../../src/relay/conditions/condition.js';
import { field, inMenu, oneOf } from '../../../src/relay/conditions/parts/field.js';

const whole = {
  about: 'one_scan',
  facts: 'scan',
  heading: 'Barcode',
  menu: ['Long barcodes'],
  parts: { over: field(z.number().int().min(1), { label: 'Longer than', initial: 20 }) },
  phrase: ({ over }: { readonly over: number }) => `is longer than ${over}`,
  predicate:
    ({ over }: { readonly over: number }) =>
    ({ scan }: { readonly scan: { readonly tid: string } }) =>
      scan.tid.length > over,
} as const;

describe('the declaration of a condition', () => {
  it('a condition’s schema is made of its parts, each by its name', () => {
    const { schema } = condition('long', whole);
    expect(schema.parse({ kind: 'long', over: 3, more: 1 })).toEqual({ kind: 'long', over: 3 });
    expect(() => schema.parse({ kind: 'long' })).toThrow('over');
    expect(() => schema.parse({ kind: 'short', over: 3 })).toThrow('kind');
  });

  it('half of a condition does not compile: one without its phrase, predicate or place in the menu', () => {
    const { phrase, predicate, menu, ...half } = whole;
    // @ts-expect-error no phrase
    condition('long', { ...half, predicate, menu });
    // @ts-expect-error no predicate
    condition('long', { ...half, phrase, menu });
    // @ts-expect-error no label in the menu
    condition('long', { ...half, phrase, predicate });
  });

  it('a part does not compile without the label of its input, or with a first value that its schema refuses', () => {
    // @ts-expect-error no label
    field(z.number(), { initial: 1 });
    // @ts-expect-error not a number
    field(z.number(), { label: 'Longer than', initial: '1' });
    // @ts-expect-error no labels to choose from
    field(z.string(), { label: 'Shown', as: 'one_of' });
  });

  it('a part that is one of several labels takes their keys alone', () => {
    const labels = { short: 'Short barcodes', long: 'Long barcodes' };
    for (const { schema } of [inMenu(labels), oneOf(labels, { label: 'Length' })]) {
      expect([schema.parse('long'), schema.safeParse('Long barcodes').success]).toEqual(['long', false]);
    }
  });
});
