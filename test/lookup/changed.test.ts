import { describe, expect, it } from 'vitest';
import {
  agesOf,
  changedLookup,
  type DatabaseFinding,
  headlineOf,
  type Lookup,
  sameState,
} from '../../src/lookup/index.js';
import { certain } from './ages.js';

const one = { id: '1', name: 'One' };
const two = { id: '2', name: 'Two' };
const three = { id: '3', name: 'Three' };

function lookup(findings: readonly DatabaseFinding[], notAsked?: Lookup['notAsked']): Lookup {
  return {
    value: 'abc',
    spellings: [],
    askedAt: 1,
    findings,
    ...(notAsked ? { notAsked } : {}),
    history: {
      kind: 'read',
      scans: [],
      summary: { read: 0, total: 0, exact: true, valid: 0, invalid: 0 },
      more: false,
      ...certain(7),
    },
    gates: [],
    lists: {},
    greenMs: 900_000,
    callsLeft: { minute: { resetsAt: 0 }, day: { resetsAt: 0 } },
    cost: 1,
  };
}

describe('a lookup after a change', () => {
  it('a lookup after a change shows the database’s new answer in the database’s spelling, and the new headline', () => {
    const known: DatabaseFinding = {
      kind: 'known',
      database: one,
      value: 'ABC',
      valid: true,
      response: 'Welcome',
      ...certain(5),
    };
    const absent: DatabaseFinding = { kind: 'unknown', database: two, similar: [], ...certain(5) };
    const changed = changedLookup(lookup([known, absent], []), one, { valid: false, response: 'Stop' }, 2);
    expect(changed.findings).toEqual([
      { kind: 'known', database: one, value: 'ABC', valid: false, response: 'Stop', ...certain(2) },
      absent,
    ]);
    expect(headlineOf(changed).kind).toBe('not_valid');
  });

  it('a lookup after a change finds an added barcode, also in a database that was not searched', () => {
    const before = lookup([{ kind: 'unknown', database: one, similar: [], ...certain(5) }], [two, three]);
    const changed = changedLookup(before, two, { valid: true, response: '' }, 2);
    expect(headlineOf(changed).kind).toBe('no_admission');
    expect(changed.findings.at(-1)).toEqual({
      ...{ kind: 'known', database: two, value: 'abc', valid: true, response: '', ...certain(2) },
    });
    expect(changed.notAsked).toEqual([three]);
    expect(headlineOf(changedLookup(changed, two, undefined, 2)).kind).toBe('unknown');
  });

  it('a lookup after a change is as old as the change, or as another database’s oldest answer if there is one', () => {
    const known: DatabaseFinding = {
      kind: 'known',
      database: one,
      value: 'ABC',
      valid: true,
      response: '',
      ...certain(5),
    };
    const alone = lookup([known]);
    expect(agesOf(changedLookup(alone, one, { valid: false, response: '' }, 9))).toEqual({ values: 9, scans: 7 });
    expect(agesOf(changedLookup(alone, one, undefined, 9))).toEqual({ values: 9, scans: 7 });
    const both = { ...alone, findings: [known, { ...known, database: two }] };
    expect(agesOf(changedLookup(both, one, { valid: false, response: '' }, 9))).toEqual({ values: 5, scans: 7 });
  });

  it('applying a change to a lookup leaves the lookup itself unchanged', () => {
    const before = lookup([{ kind: 'unknown', database: one, similar: [], ...certain(5) }], [two]);
    const copy = structuredClone(before);
    changedLookup(before, one, { valid: true, response: '' }, 2);
    expect(before).toEqual(copy);
  });
});

describe('two states of a barcode', () => {
  it.each([
    [true, { valid: true, response: 'a\r\nb ' }, { valid: true, response: 'a\nb' }],
    [true, undefined, undefined],
    [false, { valid: true, response: 'a' }, { valid: false, response: 'a' }],
    [false, { valid: true, response: 'a' }, { valid: true, response: 'A' }],
    [false, { valid: true, response: 'a b' }, { valid: true, response: 'a  b' }],
    [false, { valid: true, response: '' }, undefined],
  ])('a comparison of two states of a barcode for sameness returns %s for %j and %j', (same, first, second) => {
    expect(sameState(first, second)).toBe(same);
  });
});
