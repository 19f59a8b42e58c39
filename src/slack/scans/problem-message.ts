/** The answer to a search that was not understood: which part was not, and what was. Pure. */
import { nearest } from '../../did-you-mean.js';
import { openQuotes, type QueryProblem, queryKeys, type ScanQuery } from '../../search/index.js';
import { actions, button, type Message, message } from '../block-kit/elements.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, code, escaped, richText } from '../block-kit/text.js';
import { encode, longest } from '../bolt/metadata.js';
import { meantWord, queryLine } from './describe-query.js';
import { resultsData } from './results-message.js';

/** What is wrong with a part of a search. @param part the part as it is named: in quotes, or in fixed words */
export function queryProblemText(kind: QueryProblem['kind'], part: string): string {
  return problems[kind][0](part);
}

const times = 'Try “today”, “last 7 days”, or “3 March to 5 March”.';
const usual = () => 'today not valid 0123*';
const byUser = () => 'today user:ann';
const recent = () => 'last 7 days not valid';

/** What is wrong with a part of a search, and a search that is understood. */
type Told = readonly [problem: (part: string) => string, example: (typed: string) => string];

const problems: Readonly<Record<QueryProblem['kind'], Told>> = {
  twice: [(part) => `${part} is one too many: the search has another already.`, usual],
  two_barcodes: [
    (part) =>
      `${part} is neither a time nor the name of a service, user or device. Put a barcode with spaces in quotes.`,
    (typed) => `"${typed}"`,
  ],
  second_barcode: [
    (part) =>
      `${part} is neither a time nor the name of a service, user or device, and the search already has a barcode.`,
    usual,
  ],
  common_word: [
    (part) => `${part} means nothing in a search. If it is part of a barcode, put the barcode in quotes.`,
    usual,
  ],
  unknown_result: [
    (part) =>
      `${part} isn’t a result of a scan: search for scans that are “not valid” or “not checked”. If it is part of a barcode, put the barcode in quotes.`,
    () => 'today not checked',
  ],
  unknown_key: [(part) => `Scans can’t be searched by ${part}. If it is a barcode, put it in quotes.`, byUser],
  empty: [(part) => `${part} is empty: add what to search for.`, byUser],
  when: [(part) => `${part} isn’t a time. ${times}`, recent],
  future: [(part) => `${part} is in the future, which has no scans yet. ${times}`, recent],
  no_end_quote: [(part) => `The quote that opens ${part} isn’t closed.`, (typed) => `"${unquoted(typed)}"`],
  property: [
    (part) => `${part} has no value. Type a property as property:name=value.`,
    () => 'today property:color=red',
  ],
};

const unquoted = (typed: string) => typed.replace(new RegExp(`^[${openQuotes}]`, 'u'), '');

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
  const [what, example] = problems[kind];
  const problem = what(`“${shortName(kind === 'no_end_quote' ? unquoted(typed) : typed)}”`);
  const key = kind === 'unknown_key' ? nearest(typed.split(':')[0] ?? '', queryKeys)[0] : undefined;
  const word = key === undefined ? meantWord(text) : ` Did you mean ${key}:?`;
  return message(escaped(problem), [
    richText(
      [text.slice(0, at), bold(typed), text.slice(at + typed.length)].filter((part) => part !== '' && part !== ' '),
      `${problem}${word}`,
      ...(Object.keys(understood).length > 0 ? [['Understood: ', ...queryLine(understood)]] : []),
      ['Example: ', code(`/scans ${example(typed)}`)],
    ),
    actions(
      [button('Change search', 'scans.form', { value: encode(resultsData, { search }, longest.button) })],
      'scans.buttons',
    ),
  ]);
}
