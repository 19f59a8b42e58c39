/** A message's text as the person typed it: Slack’s links, mentions and entities undone. Pure. */
import { withHidden } from '../../codereadr/xml/hidden-characters.js';
import { decodeEntities } from '../block-kit/text.js';

/** Slack's marks in a text: `<https://a|b>`, `<tel:1|1>`, `<@U1|ann>`, `<#C1|name>`, `<!here>`. */
const markup = /<([^<>|]*)(?:\|([^<>]*))?>/g;

/** The text as typed. A link reads as its shown text; a mention reads as a space, as it is part of no barcode. */
export function typedText(text: string): string {
  return decodeEntities(
    text.replace(markup, (_, target: string, label: string | undefined) =>
      /^[@#!]/.test(target) ? ' ' : (label ?? target.replace(/^(?:tel|mailto):/, '')),
    ),
  );
}

const codeSpan = /```([\s\S]*?)```|`([^`\n]+)`/g;
const quotedSpan = /["“”„‟＂]([^"“”„‟＂\n]{1,200})["“”„‟＂]/g;

/** The barcodes in a text: each line in code; without code, quoted text with a digit, then words like a barcode. */
export function barcodesIn(text: string): readonly string[] {
  const inCode = [...text.matchAll(codeSpan)].flatMap(([, block, span]) =>
    block === undefined ? [span!] : block.split('\n'),
  );
  const values =
    inCode.length > 0
      ? inCode.map(withHidden)
      : [...quotedIn(text), ...wordsOf(text.replace(quotedSpan, ' ')).filter(looksLikeBarcode)];
  return [...new Set(values.map((value) => value.trim()).filter((value) => /[\p{L}\p{N}]/u.test(value)))];
}

function quotedIn(text: string): string[] {
  return [...text.matchAll(quotedSpan)].map(([, inside]) => inside!).filter((inside) => /\d/.test(inside));
}

/**
 * Whether a text is a sentence around a barcode: one word or more looks like a barcode, and at least two do not, or one
 * where the punctuation of another script parts them.
 */
export function isSentence(text: string): boolean {
  const words = wordsOf(text.trim());
  return (
    words.filter((word) => !looksLikeBarcode(word)).length > (widePunctuation.test(text) ? 0 : 1) &&
    words.some(looksLikeBarcode)
  );
}

/** The words as a barcode would be typed: without punctuation, and with the characters that written forms stand for. */
function wordsOf(text: string): string[] {
  return text
    .split(between)
    .filter(Boolean)
    .map((word) => withHidden(withoutPunctuation(word)));
}

/** A word without the punctuation of the sentence around it. The brackets of a GS1 identifier, `(01)`, are no punctuation. */
function withoutPunctuation(word: string): string {
  return word.replace(/^(?:\((?!\d{2,4}\))|[[{<'*_~#:])+/, '').replace(/[)\]}>'*_~.:!?]+$/, '');
}

/** Spaces, and the punctuation of a sentence in any script, which no barcode holds. */
const between = /[\s,;\u3000-\u3002\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\u060c\u061b]+/;
const widePunctuation = /[\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f\u060c\u061b]/;

const greeting =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you|thx|ok|okay|great|cool|bye)(?: (?:there|scandesk|so much|a lot))?\W*$/i;

/** An emoji as Slack spells it. One of digits alone may be a barcode. */
const emoji = /:(?:[a-z][a-z_-]*|[+-]1):/g;

/** Whether a message greets or thanks, and asks for nothing: also with emoji, or by emoji and signs alone. */
export function isGreeting(text: string): boolean {
  const words = text.replace(emoji, ' ').trim();
  return text.trim() !== '' && (greeting.test(words) || !/[\p{L}\p{N}]/u.test(words));
}

/** The text without the marks that quote a line of a message. */
export function withoutQuoteMarks(text: string): string {
  return text.replace(/^(?:>[ \t]+)+/gm, '');
}

const notBarcodes: readonly RegExp[] = [
  // Dates and times are no barcodes.
  /^\d{4}-\d{1,2}-\d{1,2}(?:T.*)?$/,
  /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/,
  /^\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:am|pm)?$/i,
  // Amounts, percentages and degrees are no barcodes.
  /^[$€£¥]/,
  /[%€$£°]$/,
  /^\d{1,3}(?:[.,]\d{3})*[.,]\d{1,3}$/,
  // Web and mail addresses are no barcodes, but for a GS1 Digital Link.
  /^https?:\/\/(?!.*\/(?:01|8006|8010|414|00)\/\d{8,})/i,
  /^\S+@\S+\.\S+$/,
];

const shortestBarcode = 5;

/** Whether a word has at least five characters and two digits, no odd signs, and is no date, amount or address. */
function looksLikeBarcode(word: string): boolean {
  return (
    word.length >= shortestBarcode &&
    (word.match(/\d/g)?.length ?? 0) >= 2 &&
    /^(?:\][A-Za-z]\d)?[\p{L}\p{N}\p{Cc}\p{Cf}\-_./+$%*:()=?&~#]+$/u.test(word) &&
    !notBarcodes.some((pattern) => pattern.test(word))
  );
}
