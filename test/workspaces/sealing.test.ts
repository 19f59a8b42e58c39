import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/clock.js';
import { createSealer } from '../../src/workspaces/sealing.js';
import type { SealContext } from '../../src/workspaces/types.js';
import { anyText } from '../helpers/any-text.js';

const oldKey = Buffer.alloc(32, 'o');
const newKey = Buffer.alloc(32, 'n');
const sealer = createSealer([newKey], systemRandom);
const context: SealContext = { purpose: 'api-key', installation: 'T1', record: 'T1' };
const broken = expect.objectContaining({ code: 'store.seal_broken' });

/** Any string of UTF-16 units, halves of surrogate pairs and NUL among them. */
const anyString = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
  .map((units) => String.fromCharCode(...units));

describe('sealing', () => {
  it('unsealing returns any sealed string exactly', () => {
    fc.assert(
      fc.property(fc.oneof(anyString, anyText()), (plain) => {
        expect(sealer.open(sealer.seal(plain, context), context)).toBe(plain);
      }),
    );
    const long = 'x'.repeat(1_000_000);
    expect(sealer.open(sealer.seal(long, context), context)).toBe(long);
  });

  it('unsealing refuses a sealed text in which any character was changed', () => {
    const sealed = sealer.seal('canary-api-key-7f3a9c', context);
    for (let at = 0; at < sealed.length; at++) {
      for (const other of ['A', 'B', '_', '.', '=', ' ', 'é']) {
        if (sealed[at] !== other) {
          const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
          expect(() => sealer.open(changed, context), changed).toThrow(broken);
        }
      }
    }
  });

  it('unsealing refuses a sealed text that was cut, lengthened or joined from two', () => {
    const one = sealer.seal('one', context);
    const two = sealer.seal('two', context);
    fc.assert(
      fc.property(fc.nat({ max: one.length - 1 }), (at) => {
        expect(() => sealer.open(one.slice(0, at), context)).toThrow(broken);
        expect(() => sealer.open(`${one}${one.slice(at)}`, context)).toThrow(broken);
        const mixed = one.slice(0, at) + two.slice(at);
        if (mixed !== one && mixed !== two) {
          expect(() => sealer.open(mixed, context)).toThrow(broken);
        }
      }),
    );
    for (const none of ['', '.', '..', 'xoxb-1', `${one}.`, `.${one}`, `${one}.x`]) {
      expect(() => sealer.open(none, context), none).toThrow(broken);
    }
  });

  it('unsealing refuses a sealed text with another purpose, installation or record', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('T1', 'T2', 'T1:T2', ':', '', '"', '\\', 'api-key'));
    const place = fc.record({ purpose: part, installation: part, record: part });
    fc.assert(
      fc.property(place, place, (from, to) => {
        const sealed = sealer.seal('secret', from);
        const same = from.purpose === to.purpose && from.installation === to.installation && from.record === to.record;
        if (same) {
          expect(sealer.open(sealed, to)).toBe('secret');
        } else {
          expect(() => sealer.open(sealed, to)).toThrow(broken);
        }
      }),
    );
    for (const part of ['purpose', 'installation', 'record']) {
      expect(() => sealer.open(sealer.seal('secret', context), { ...context, [part]: 'T2' }), part).toThrow(broken);
    }
    // The same letters, divided differently among the parts.
    const sealed = sealer.seal('secret', { purpose: 'a', installation: 'bc', record: 'd' });
    expect(() => sealer.open(sealed, { purpose: 'ab', installation: 'c', record: 'd' })).toThrow(broken);
    expect(() => sealer.open(sealed, { purpose: 'a', installation: 'b', record: 'cd' })).toThrow(broken);
  });

  it('sealing yields a different text each time, from which nothing of its content can be read', () => {
    const seals = Array.from({ length: 100 }, () => sealer.seal('canary-api-key-7f3a9c', context));
    expect(new Set(seals).size).toBe(100);
    expect(seals.join()).not.toContain('canary');
    expect(Buffer.from(seals[0]?.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('canary');
  });

  it('sealing uses the first key, and unsealing tries any of the keys', () => {
    const sealedBefore = createSealer([oldKey], systemRandom).seal('secret', context);
    const both = createSealer([newKey, oldKey], systemRandom);
    expect(both.open(sealedBefore, context)).toBe('secret');
    expect(both.isCurrent(sealedBefore)).toBe(false);
    const sealedNow = both.seal('secret', context);
    expect(both.isCurrent(sealedNow)).toBe(true);
    expect(sealer.open(sealedNow, context)).toBe('secret');
    expect(() => sealer.open(sealedBefore, context)).toThrow(broken);
    expect(() => createSealer([oldKey], systemRandom).open(sealedNow, context)).toThrow(broken);
  });

  it('a sealed text begins with its key’s name, which is no part of the key', () => {
    const [keyId] = sealer.seal('secret', context).split('.');
    expect(keyId).toMatch(/^[0-9a-f]{16}$/);
    expect(newKey.toString('hex')).not.toContain(keyId);
  });

  it('sealing refuses to work without a key, or with a key of a wrong size', () => {
    const code = expect.objectContaining({ code: 'store.seal_key' });
    expect(() => createSealer([], systemRandom)).toThrow(code);
    expect(() => createSealer([Buffer.alloc(31)], systemRandom)).toThrow(code);
    expect(() => createSealer([newKey, Buffer.alloc(33)], systemRandom)).toThrow(code);
  });
});
