/**
 * Characters that no text shows, and how they are written: control characters as pictures (␝), others by number
 * (⟨U+200B⟩). What is written so in a post is read back by `withHidden`. Pure.
 */

/** The written form of a hidden character. */
export function writtenForm(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) {
    return String.fromCodePoint(0x2400 + code);
  }
  return code === 0x7f ? '␡' : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** Invisible or direction-changing characters: barcodes that differ only in them would look the same. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u00a0\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/gu;

/** For names and sentences: only characters that could change the text around them. Joiners and soft hyphens stay. */
const disturbing = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A joiner within one emoji: it shows, as it makes one picture of two. */
const joinedEmoji = /(?<=\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)\u200d(?=\p{Extended_Pictographic})/gu;

/** A barcode as shown: ASCII control characters as pictures (␝), other invisible characters by number (⟨U+200B⟩). */
export function visible(value: string): string {
  return value
    .split(joinedEmoji)
    .map((part) => part.replace(unseen, writtenForm))
    .join('\u200d');
}

/** Outside text on one line of plain text, unable to change the text around it. */
export function settled(text: string): string {
  return text.replace(disturbing, writtenForm);
}

/** A picture of a control character, its number in hex, or another hidden character by number; no barcode holds NUL. */
const written = /([\u2401-\u241f])|␡|\\x(0[1-9a-f]|1[0-9a-f]|7f)|⟨U\+([0-9A-F]{4,6})⟩/gi;

/** Text that a person typed or pasted, with the characters that written forms stand for. */
export function withHidden(text: string): string {
  return text.replace(written, (form, picture?: string, hex?: string, number?: string) => {
    const digits = hex ?? number;
    const code =
      digits === undefined ? (picture ? picture.codePointAt(0)! - 0x2400 : 0x7f) : Number.parseInt(digits, 16);
    return isHidden(code) || beginsForm(code) ? String.fromCodePoint(code) : form;
  });
}

/**
 * A barcode as an input holds it, which `withHidden` reads back unchanged: control characters, which no key types, as
 * `\x1d`; what is a written form in the barcode itself with its first character by number.
 */
export function typedForm(value: string): string {
  return value
    .replace(written, (form) => `⟨U+${form.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩${form.slice(1)}`)
    .replace(
      /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f]/g,
      (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
}

function isHidden(code: number): boolean {
  return (
    code > 0 &&
    code <= 0x10ffff &&
    /[\p{C}\p{Z}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/u.test(String.fromCodePoint(code))
  );
}

/** Whether a written form begins with this character: a backslash, an angle bracket, a picture. */
const beginsForm = (code: number): boolean => code === 0x5c || code === 0x27e8 || (code > 0x2400 && code <= 0x2421);
