import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merge, type Stream } from '../../../src/lookup/scans/streams.js';
import type { SeenScan } from '../../../src/scans/seen-scan.js';

const nobody = { id: '', name: '' };
const scan = (id: string, at: number | undefined): SeenScan => ({
  id,
  source: 'account',
  value: 'A',
  status: 'valid',
  result: '',
  ...(at === undefined ? {} : { at }),
  atText: '',
  service: nobody,
  device: nobody,
  user: nobody,
  answers: [],
});
const stream = (complete: boolean, ...scans: SeenScan[]): Stream => ({ scans, complete });
const ids = ({ scans }: Stream) => scans.map(({ id }) => id);

describe('scans of several sources', () => {
  it('stand in one order, the newest first', () => {
    const merged = merge([stream(true, scan('a', 9), scan('b', 5)), stream(true, scan('c', 7), scan('d', 1))]);
    expect(ids(merged)).toEqual(['a', 'c', 'b', 'd']);
    expect(merged).toMatchObject({ complete: true, total: 4 });
  });

  it('reach as far back as the source that was read least far', () => {
    const merged = merge([stream(false, scan('a', 9), scan('b', 5)), stream(true, scan('c', 7), scan('d', 1))]);
    expect(ids(merged)).toEqual(['a', 'c', 'b']);
    expect(merged.complete).toBe(false);
    expect(merged.total).toBeUndefined();
  });

  it('are told once where two sources have the same', () => {
    expect(ids(merge([stream(true, scan('a', 9)), stream(true, scan('a', 9), scan('b', 3))]))).toEqual(['a', 'b']);
  });

  it('keep a scan without a readable time behind the one it came after', () => {
    const merged = merge([stream(true, scan('a', 9), scan('?', undefined), scan('b', 5)), stream(true, scan('c', 7))]);
    expect(ids(merged)).toEqual(['a', '?', 'c', 'b']);
  });

  it('never skip one: what is left out is older than everything that is told', () => {
    const times = fc.uniqueArray(fc.integer({ min: 0, max: 40 })).map((all) => all.sort((a, b) => b - a));
    const source = fc.record({ times, read: fc.nat({ max: 40 }) });
    fc.assert(
      fc.property(fc.array(source, { minLength: 2, maxLength: 4 }), (sources) => {
        const streams = sources.map(({ times, read }, index) => ({
          scans: times.slice(0, read).map((at) => scan(`${index}-${at}`, at)),
          complete: read >= times.length,
        }));
        const merged = merge(streams);
        const everything = sources.flatMap(({ times }, index) => times.map((at) => ({ id: `${index}-${at}`, at })));
        const oldest = Math.min(...merged.scans.map((s) => s.at!));
        const missing = everything.filter(({ id }) => !ids(merged).includes(id));
        expect(missing.every(({ at }) => at <= oldest)).toBe(true);
        expect(merged.complete).toBe(streams.every((s) => s.complete));
        expect(!merged.complete || missing.length === 0).toBe(true);
      }),
    );
  });
});
