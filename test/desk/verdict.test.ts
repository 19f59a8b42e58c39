import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/desk/index.js';
import { verdictOf } from '../../src/desk/verdict.js';

const database = { id: '1', name: 'One' };
const valid: Finding = { kind: 'known', database, value: 'A', valid: true, response: '' };
const invalid: Finding = { kind: 'known', database, value: 'A', valid: false, response: '' };
const absent: Finding = { kind: 'unknown', database, similar: [] };
const failed: Finding = { kind: 'failed', database, why: { code: 'account.slow' } };
const another = [{ id: '2', name: 'Two' }];

describe('the verdict', () => {
  it.each([
    ['valid', [valid], []],
    ['valid', [valid, absent, failed], another],
    ['invalid', [invalid, invalid, absent], []],
    ['mixed', [valid, invalid], []],
    ['unknown', [absent, absent], []],
    ['not_in_asked', [absent], another],
    ['not_in_asked', [absent], undefined],
    ['uncertain', [absent, failed], []],
    ['uncertain', [failed], another],
    ['uncertain', [], undefined],
    ['no_databases', [], []],
    ['no_databases', [], another],
  ] as const)('is %s of %j with %j left out', (verdict, findings, notAsked) => {
    expect(verdictOf(findings, notAsked)).toBe(verdict);
  });

  it('says unknown only when every database of the account answered that it does not know it', () => {
    const finding = fc.constantFrom(valid, invalid, absent, failed);
    const others = fc.constantFrom([], another, undefined);
    fc.assert(
      fc.property(fc.array(finding), others, (findings, notAsked) => {
        const sure = findings.length > 0 && findings.every((f) => f.kind === 'unknown') && notAsked?.length === 0;
        expect(verdictOf(findings, notAsked) === 'unknown').toBe(sure);
      }),
    );
  });

  it('says valid only when no database that knows it says otherwise', () => {
    const finding = fc.constantFrom(valid, invalid, absent, failed);
    fc.assert(
      fc.property(fc.array(finding), (findings) => {
        const sure = findings.includes(valid) && !findings.includes(invalid);
        expect(verdictOf(findings, []) === 'valid').toBe(sure);
      }),
    );
  });
});
