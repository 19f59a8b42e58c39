/** The replies to text that is no barcode to look up, and to durations and numbers of posts beyond a limit. Pure. */
import { countOf } from '../../../english.js';
import { cut, type Message } from '../../block-kit/elements.js';
import { bold, code, textMessage } from '../../block-kit/text.js';
import { longestBarcode } from '../parse-barcodes.js';

/** The limit in words: characters that nobody sees take more room, so that a shorter text may be too long. */
export function limitText(length: number, longest = longestBarcode): string {
  return `${longest}${length > longest ? '' : ', fewer where many can’t be seen'}`;
}

export function tooLongMessage(length: number, longest = longestBarcode): Message {
  const problemText = `That text has ${length} characters. A barcode can have up to ${limitText(length, longest)}.`;
  return textMessage([bold(problemText), ' Enter only the barcode.']);
}

/** The hint about the barcode of a scan, which nobody typed. */
export function unsearchableMessage(length: number): Message {
  const problemText = `This barcode has ${length} characters. You can look up barcodes of up to ${limitText(length)}.`;
  return textMessage([
    bold(problemText),
    ' To find its scans, type ',
    code('/scans'),
    ' and how it begins, followed by *.',
  ]);
}

export function emptyQuotesMessage(): Message {
  const problemText = bold('There is nothing between the quotes.');
  return textMessage([problemText, ' Enter a barcode there: ', code('/barcode "00123"')]);
}

/** The reply to a text with `for` and no valid duration after it. `ending`: the text from `for` on. */
export function noLengthMessage(ending: string): Message {
  const problemText = /\s/.test(ending)
    ? `“${cut(ending, 60)}” is not a valid duration.`
    : `No duration follows “${ending}”.`;
  const todo = 'Enter a duration such as 30m, 2h or 2d. If this is part of the barcode, put the barcode in quotes.';
  return textMessage([bold(problemText), ` ${todo}`]);
}

/** The reply to a duration above the maximum, which says that the maximum was set. */
export function longestDurationMessage(longestMs: number): Message {
  return maximumMessage(countOf(Math.floor(longestMs / 86_400_000), 'day'));
}

export function mostPostsMessage(mostPosts: number): Message {
  return maximumMessage(countOf(mostPosts, 'post'));
}

function maximumMessage(maximum: string): Message {
  return textMessage(`The maximum is ${maximum}, so that is what was set.`);
}
