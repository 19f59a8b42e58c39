/**
 * Any text for a property test: any code points but lone surrogates, and names that objects have. fast-check's own
 * `anyText()` first builds a table of all 1.1 million, two seconds of processor time in each worker.
 */
import fc from 'fast-check';

const scalar = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xff }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 0xd7ff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0xe000, max: 0x10ffff }) },
);
const character = scalar.map((codePoint) => String.fromCodePoint(codePoint));
const namesOfObjects = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length'];

/** @param bounds numbers of code points */
export function anyText(
  bounds: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = bounds;
  const fitting = namesOfObjects.filter(({ length }) => length >= minLength && length <= maxLength);
  const characters = fc.array(character, bounds).map((all) => all.join(''));
  return fitting.length === 0
    ? characters
    : fc.oneof({ weight: 12, arbitrary: characters }, { weight: 1, arbitrary: fc.constantFrom(...fitting) });
}
