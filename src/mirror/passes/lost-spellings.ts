/**
 * The texts that answers give for a database's values with control characters, which XML cannot carry: such a text may
 * be no value of the account. One search for each control character that barcodes use finds the texts.
 */
import type { DatabaseValue } from '../../codereadr/types.js';

/** The control characters of GS1 and ANSI MH10.8: GS, RS, EOT, FS, US. */
const controls = ['\u001d', '\u001e', '\u0004', '\u001c', '\u001f'] as const;

/** The longest value that is probed: two characters less than a value may have. */
const longestProbed = 98;

export interface ControlSearches {
  /** The values that contain the character, page by page, as answers give them. */
  holding(control: string): AsyncIterable<readonly DatabaseValue[]>;
  /** Whether the database holds exactly this value. */
  holds(value: string): Promise<boolean>;
}

/** The texts found. `searched`: whether the account distinguishes values with control characters. */
export interface LostSpellings {
  readonly texts: ReadonlySet<string>;
  readonly searched: boolean;
}

/** The result for a database without values, which needs no search. */
export const noSpellings: LostSpellings = { texts: new Set(), searched: true };

export async function lostSpellings(searches: ControlSearches): Promise<LostSpellings> {
  const texts = new Set<string>();
  let hasSearched = true;
  for (const control of controls) {
    let isIgnored: boolean | undefined;
    for await (const values of searches.holding(control)) {
      isIgnored ??= await ignores(searches, control, values);
      if (isIgnored) {
        hasSearched = false;
        break;
      }
      for (const { value } of values) {
        texts.add(value);
      }
    }
  }
  return { texts, searched: hasSearched };
}

/**
 * Whether the account ignores the control character in searches. Then it finds a known value even with the character
 * before and behind it, which nobody would store.
 */
async function ignores({ holds }: ControlSearches, control: string, found: readonly DatabaseValue[]): Promise<boolean> {
  const probed = found.find(({ value }) => value.length <= longestProbed);
  return probed !== undefined && (await holds(`${control}${probed.value}${control}`));
}
