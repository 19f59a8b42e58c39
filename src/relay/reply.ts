/**
 * Owns the document a device is answered with: at most 10,000 bytes, whatever the text. Refuses to let outside text become a
 * page (`<html`) or a request (`<curl`) on the device.
 */

/** The account cuts an answer past it, and a document without its end is none. */
export const longestReply = 10_000;

export interface Reply {
  readonly valid: boolean;
  /** Outside text, shown on the device as plain text. */
  readonly text: string;
}

export function replyDocument({ valid, text }: Reply): string {
  const before = `<?xml version="1.0" encoding="UTF-8"?>\n<xml><message><status>${valid ? 1 : 0}</status><text>`;
  const after = '</text></message></xml>';
  return `${before}${fitted(plainText(text), longestReply - before.length - after.length)}${after}`;
}

/** What XML cannot carry as its picture (␝) or as U+FFFD, and no tag that means more than text. */
function plainText(text: string): string {
  const carried = /[^\t\n\r\x20-\x7e]/.test(text) ? text.replace(uncarried, picture) : text;
  return carried.includes('<') ? carried.replace(/<(?=html|curl)/gi, '‹') : carried;
}

/** What XML 1.0 has no character for: controls, half surrogate pairs, U+FFFE, U+FFFF. DEL is allowed, and unseen. */
const uncarried = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]|\p{Surrogate}/gu;

function picture(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) {
    return String.fromCodePoint(0x2400 + code);
  }
  return code === 0x7f ? '␡' : '\ufffd';
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

function escaped(text: string): string {
  return /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, (character) => entities[character]!) : text;
}

/** The text escaped, and cut after a whole character where it would take more than `max` bytes. */
function fitted(text: string, max: number): string {
  const whole = escaped(text);
  if (whole.length * 3 <= max || Buffer.byteLength(whole) <= max) {
    return whole;
  }
  const ending = '…';
  let room = max - Buffer.byteLength(ending);
  let cut = '';
  for (const character of text) {
    const piece = escaped(character);
    room -= Buffer.byteLength(piece);
    if (room < 0) {
      break;
    }
    cut += piece;
  }
  return cut + ending;
}
