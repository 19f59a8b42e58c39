/** A search for scans in words, and as a person could type it. Pure. */

import { mistyped, nearest } from '../../did-you-mean.js';
import { resultInText } from '../../scans/result-words.js';
import type { NamedPart, ScanQuery } from '../../search/index.js';
import { queryWords } from '../../search/index.js';
import { type Message, message } from '../block-kit/elements.js';
import { shortName } from '../block-kit/short-text.js';
import { barcodeElement, bold, escaped, type LinePart, richText } from '../block-kit/text.js';

const matches = {
  is: 'barcode ',
  starts: 'barcode begins with ',
  contains: 'barcode contains ',
  alike: 'barcode in any form: ',
} as const;

/** A search in words: "Scans today · not valid · service “Gate A” · barcode begins with 0123". */
export function queryLine(query: ScanQuery): LinePart[] {
  const { barcode, when } = query;
  return [
    bold(
      when === undefined
        ? 'All scans'
        : `Scans ${/^\d/.test(when) || /^[A-Z]/.test(when) ? 'of ' : ''}${shortName(when, 80)}`,
    ),
    ...phrases(query).map((phrase) => ` · ${phrase}`),
    ...(barcode ? [` · ${matches[barcode.match]}`, barcodeElement(barcode.text)] : []),
  ];
}

/** The parts of a search that hold no barcode. */
function phrases(query: ScanQuery): string[] {
  const { relay, results, response, answer, property } = query;
  return [
    ...(relay ? [`relay “${shortName(relay.name)}”`] : []),
    ...(results ? [results.map(resultInText).join(' or ')] : []),
    ...namedParts('service', query.services),
    ...namedParts('user', query.users),
    ...namedParts('device', query.devices),
    ...(response === undefined ? [] : [`response mentions “${shortName(response, 80)}”`]),
    ...(answer === undefined ? [] : [`an answer mentions “${shortName(answer, 80)}”`]),
    ...(property ? [`property ${shortName(property.name)} has “${shortName(property.value, 80)}”`] : []),
  ];
}

function namedParts(kind: string, parts: readonly NamedPart[] | undefined): string[] {
  return parts === undefined
    ? []
    : [`${kind} ${parts.map((part) => `“${shortName('id' in part ? part.name : part.part)}”`).join(' or ')}`];
}

/** The answer where no saved search has the typed name. */
export function noSuchSearchMessage(name: string, names: readonly string[]): Message {
  const [meant] = nearest(name, names);
  const listed =
    names.length === 0
      ? 'Nothing is saved here yet.'
      : `Saved here: ${names.map((each) => shortName(each)).join(', ')}.`;
  const line = `No saved search is called “${shortName(name)}”.${meant === undefined ? '' : ` Did you mean “${shortName(meant)}”?`}`;
  return message(escaped(line), [richText(line, listed)]);
}

/** The question " Did you mean today?", where a typed word is close to one that searches know; else empty. */
export function meantWord(text: string): string {
  const isTyped = (word: string) => /^\p{L}{4,}$/u.test(word) && !queryWords.includes(word.toLowerCase());
  const [meant] = text.split(/\s+/).flatMap((word) => (isTyped(word) ? mistyped(word, queryWords) : []));
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}
