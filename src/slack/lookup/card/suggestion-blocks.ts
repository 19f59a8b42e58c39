/** Barcodes that a person may have meant by an unknown one, with buttons that look them up if they are exact. Pure. */
import { mostByResponse, mostClose, type Suggestions } from '../../../lookup/index.js';
import { actions, type Block, button, context, cut, plain } from '../../block-kit/elements.js';
import { shortBarcode, shortName, shortText } from '../../block-kit/short-text.js';
import { barcodePlain, bold, richText, settled } from '../../block-kit/text.js';
import { longest } from '../../bolt/metadata.js';

/** The action ids of suggestions, one for each place: within a message, each button has an id of its own. */
export const openIds = Array.from({ length: mostClose + mostByResponse }, (_, n) => `lookup.open.${n}`);

const longestLabel = 75;
const longestBesideResponse = 110;
const longestWords = 60;
/** The longest barcode in a button's value, which leaves space for the rest of the data. */
const longestInValue = longest.button - 200;

/** @param encoded makes the value of a barcode's button */
export function suggestionBlocks(
  { close, lost, byResponse }: Suggestions,
  searchedText: string,
  encoded: (barcode: string) => string,
): Block[] {
  const fitsButton = (barcode: string) => JSON.stringify(barcode).length <= longestInValue;
  const closeOnes = close.filter(fitsButton).slice(0, mostClose);
  const matches = byResponse?.values.filter(({ value }) => fitsButton(value)).slice(0, mostByResponse) ?? [];
  const unreadable = [...new Set([...(lost ?? []), ...matches.flatMap((match) => (match.lost ? match.value : []))])];
  return [
    ...(closeOnes.length > 0
      ? [
          richText([bold(closeOnes.length === 1 ? 'Did you mean this one?' : 'Did you mean one of these?')]),
          actions(
            closeOnes.map((barcode, n) =>
              button(barcodePlain(barcode, longestLabel).text, openIds[n]!, { value: encoded(barcode) }),
            ),
          ),
        ]
      : []),
    ...(matches.length > 0
      ? [
          richText([bold('Values whose response mentions “'), shortText(searchedText, longestWords), bold('”')]),
          ...matches.map(
            ({ value, lost: isLost, response, database }, n): Block => ({
              type: 'section',
              fields: [barcodePlain(value, longestBesideResponse), plain(lineOf(response, database.name))],
              ...(isLost ? {} : { accessory: button('Look up', openIds[mostClose + n]!, { value: encoded(value) }) }),
            }),
          ),
        ]
      : []),
    ...unreadable
      .slice(0, mostClose)
      .map((text) =>
        richText([
          'The account has a barcode that reads like ',
          ...shortBarcode(text, longestLabel),
          ', with control characters that its responses leave out. Type each separator as \\x1d.',
        ]),
      ),
    ...(byResponse ? endBlocks(byResponse, searchedText) : []),
  ];
}

function lineOf(response: string, database: string): string {
  return cut(`${settled(response)} · ${shortName(database)}`, 300);
}

function endBlocks({ values, more, searched }: NonNullable<Suggestions['byResponse']>, text: string): Block[] {
  const count = searched?.toLocaleString('en-US');
  if (count !== undefined && values.length > 0) {
    return [context(`There may be more: only the first ${count} values were searched.`)];
  }
  if (count !== undefined) {
    return isWords(text)
      ? [context(`Responses were not fully searched: only the first ${count} values were searched.`)]
      : [];
  }
  return more ? [context(`Showing the first ${values.length}. Add a word to narrow the search.`)] : [];
}

/** Whether the text is words without a digit, such as a name: they stand in a response, and are hardly a barcode. */
export function isWords(text: string): boolean {
  return /\p{L}/u.test(text) && !/\d/.test(text);
}
