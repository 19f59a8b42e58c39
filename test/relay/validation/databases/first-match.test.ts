import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DatabaseResult,
  firstMatch,
  type MirrorResult,
} from '../../../../src/relay/validation/databases/first-match.js';

const found = (valid: boolean): DatabaseResult & MirrorResult => ({ kind: 'found', value: 'v', valid, response: '' });
const absent = { kind: 'absent' } as const;
const unsure = { kind: 'unsure' } as const;
const unknown = { kind: 'unknown', why: 'slow' } as const;

const database = fc.record({
  copy: fc.constantFrom<MirrorResult>(found(true), found(false), absent, unsure),
  itself: fc.constantFrom<DatabaseResult>(found(true), found(false), absent, unknown),
});

/** Asks the databases one after the other, as a person would. */
function byHand(databases: readonly { copy: MirrorResult; itself: DatabaseResult }[]): DatabaseResult {
  const somewhere = databases.some(({ copy }) => copy.kind === 'found');
  for (const { copy, itself } of databases) {
    const answer = copy.kind === 'found' || (copy.kind === 'absent' && somewhere) ? copy : itself;
    if (answer.kind !== 'absent') {
      return answer;
    }
  }
  return absent;
}

describe('databases in their order', () => {
  it('the first database with the barcode decides, unless a database before it gave no answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(database, { minLength: 1, maxLength: 10 }), async (databases) => {
        const asked: number[] = [];
        const decided = await firstMatch(
          databases.map(({ copy }) => copy),
          async (at) => {
            asked.push(at);
            return databases[at]!.itself;
          },
        );
        expect(decided?.answer ?? absent).toEqual(byHand(databases));
        const holder = databases.findIndex(({ copy }) => copy.kind === 'found');
        // A database that need not be asked is not asked.
        for (const at of asked) {
          expect(holder === -1 || (at < holder && databases[at]!.copy.kind === 'unsure')).toBe(true);
        }
      }),
    );
  });

  it('a decision does not wait for databases after the database that decides', async () => {
    const never = new Promise<DatabaseResult>(() => undefined);
    const decided = await firstMatch([unsure, unsure], (at) => (at === 0 ? Promise.resolve(found(false)) : never));
    expect(decided).toEqual({ answer: found(false), at: 0 });
  });
});
