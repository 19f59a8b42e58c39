/** The answer to a search that was not understood: which part was not, and what was. Pure. */
import { nearest } from '../../did-you-mean.js';
import { type QueryProblem, queryKeys, type ScanQuery } from '../../search/index.js';
import { actions, button, type Message, message } from '../block-kit/elements.js';
import { bold, code, escaped, richText } from '../block-kit/text.js';
import { encode, longest } from '../bolt/metadata.js';
import { meantWord, queryLine } from './describe-query.js';
import { resultsData } from './results-message.js';

export function queryProblemText(kind: QueryProblem['kind']): string {
  return problems[kind];
}

const problems: Readonly<Record<QueryProblem['kind'], string>> = {
  twice: 'There is already one of these in the search.',
  two_barcodes: 'This is neither a time nor a known service, user or device. Put a barcode with spaces in quotes.',
  second_barcode: 'This is neither a time nor a known service, user or device, and the search already has a barcode.',
  common_word: 'This word isn’t understood here. If it is part of a barcode, put the barcode in quotes.',
  unknown_result:
    'A scan doesn’t say whether a database had its barcode: search for scans that are “not valid” or “not checked”. If this is part of a barcode, put the barcode in quotes.',
  unknown_key: 'Scans can’t be searched by this. If it is a barcode, put it in quotes.',
  empty: 'Nothing follows here.',
  when: 'This isn’t a time. Try “today”, “last 7 days”, or “3 March to 5 March”.',
  future: 'There are no scans from the future. Try “today”, “last 7 days”, or “3 March to 5 March”.',
  no_end_quote: 'The quote that opens here isn’t closed.',
  property: 'Type a property as property:name=value.',
};

/**
 * The typed text, with the part that was not understood in bold, and what was.
 * @param search the stored search that *Change search* opens
 */
export function problemMessage(
  text: string,
  { kind, typed, at }: QueryProblem,
  understood: ScanQuery,
  search: string,
): Message {
  const example = kind === 'two_barcodes' ? `/scans "${typed}"` : '/scans today not valid Gate A user:ann 0123*';
  const key = kind === 'unknown_key' ? nearest(typed.split(':')[0] ?? '', queryKeys)[0] : undefined;
  const word = key === undefined ? meantWord(text) : ` Did you mean ${key}:?`;
  return message(`${problems[kind]} ${escaped(typed)}`, [
    richText(
      [text.slice(0, at), bold(typed), text.slice(at + typed.length)].filter((part) => part !== '' && part !== ' '),
      `${problems[kind]}${word}`,
      ...(Object.keys(understood).length > 0 ? [['Understood: ', ...queryLine(understood)]] : []),
      ['Example: ', code(example)],
    ),
    actions(
      [button('Change search', 'scans.form', { value: encode(resultsData, { search }, longest.button) })],
      'scans.buttons',
    ),
  ]);
}
