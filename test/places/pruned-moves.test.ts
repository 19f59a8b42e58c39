import { expect, it } from 'vitest';
import { foldEach, type PlaceMove, type PlaceScan } from '../../src/places/moves.js';

const noon = Date.UTC(2026, 4, 1, 12);
const detail = { holder: null, response: null, dueAt: null, dueText: null };
const scan = (scanId: string, fields: Partial<PlaceScan> = {}): PlaceScan => ({
  ...detail,
  ...{ scanId, key: 'A', barcode: 'A', value: 'A', at: noon, entering: true, gate: 'D1', user: '7', recorded: false },
  ...fields,
});
const move = (scanId: string, fields: Partial<PlaceScan> = {}): PlaceMove => ({
  ...scan(scanId, fields),
  change: 1,
  pruned: false,
});
/** The scans of which each move is counted, and what it changes. */
const counted = (scans: readonly PlaceScan[], kept: readonly PlaceMove[]) =>
  foldEach(scans, kept, false).flatMap((moves) => moves.map(({ scanId, change, pruned }) => [scanId, change, pruned]));

it.each([
  ['a move of a relay’s pruned scan', 'the account has the scan', true],
  ['a move of a scan that the account deleted', 'a relay still has the scan', false],
])('%s is counted once where %s', (_, __, isStoredByAccount) => {
  const stored = scan('stored', { recorded: isStoredByAccount });
  expect(counted([stored], [move('kept', { recorded: !isStoredByAccount })])).toEqual([['stored', 1, false]]);
});

it('a pruned move stays beside another scan of its barcode, at another moment or in the other direction', () => {
  const kept = move('kept');
  const out = { at: noon + 60_000, entering: false, recorded: true };
  expect(counted([scan('out', out)], [kept])).toEqual([
    ['kept', 1, true],
    ['out', -1, false],
  ]);
  expect(counted([scan('later', { at: noon + 60_000, recorded: true })], [kept])).toEqual([
    ['kept', 1, true],
    ['later', 0, false],
  ]);
});
