/** The short replies of `/barcode` other than a card: a lookup in progress, and text that is not a barcode. Pure. */

import { cut, type Message, message, type RichTextElement } from '../../block-kit/elements.js';
import { barcodeElement, bold, code, escaped, fallback, richText, textElement } from '../../block-kit/text.js';
import { countOf } from '../../block-kit/verdict.js';
import { longestBarcode } from '../parse-barcode-text.js';

/** For a slow lookup: what is being searched. `databases`: how many, if known. */
export function askingMessage(value: string, databases: number | undefined): Message {
  const where = databases === undefined ? 'the account' : databases === 1 ? 'one database' : `${databases} databases`;
  const line: RichTextElement[] = [
    textElement(`Asking ${where} about `),
    barcodeElement(value),
    textElement('. The account is slow just now; the answer comes here.'),
  ];
  return message(`Asking ${where} about ${fallback(value)}.`, [richText(line)]);
}

export function tooLongMessage(length: number): Message {
  const what = `That text has ${length} characters; a barcode has ${longestBarcode} at most.`;
  const todo = 'Send the barcode alone, without anything around it.';
  return message(`${what} ${todo}`, [richText([bold(what), textElement(` ${todo}`)])]);
}

export function emptyQuotesMessage(): Message {
  const what = 'There is nothing between the quotes.';
  return message(`${what} Put the barcode there, as in /barcode "00123".`, [
    richText([bold(what), textElement(' Put the barcode there, as in '), code('/barcode "00123"'), textElement('.')]),
  ]);
}

/** `ending`: the text in place of a duration. */
export function noLengthMessage(ending: string): Message {
  const what = `“${cut(ending, 60)}” is no length of time.`;
  const todo = 'Write 30m, 2h or 2d; if the barcode reads that way, put it in quotes.';
  return message(`${escaped(what)} ${todo}`, [richText([bold(what), textElement(` ${todo}`)])]);
}

/** For a duration above the maximum: says what it was cut to. */
export function longestMessage(longestMs: number): Message {
  const what = `${countOf(Math.floor(longestMs / 86_400_000), 'day')} is the longest, so it is that.`;
  return message(what, [richText([textElement(what)])]);
}
