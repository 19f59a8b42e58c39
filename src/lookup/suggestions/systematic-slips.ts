/**
 * Other spellings of a text that one program changed in the same way from end to end: an editor its dashes and accents,
 * a phone its digits, a keyboard layout its keys. Pure.
 */

const dashes = /[\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;

/** The spelling of a keyboard, then those of editors; they hold the text itself where it is one of them. */
export function otherCharacters(value: string): readonly string[] {
  const plain = value
    .replace(dashes, '-')
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, asciiDigit);
  const composed = [...new Set([value.replace(dashes, '-'), plain])].flatMap((text) => [
    text,
    text.normalize('NFC'),
    text.normalize('NFD'),
  ]);
  return [...composed, ...[...'\u2013\u2014\u2212\u2011'].map((dash) => plain.replaceAll('-', dash))];
}

/** A decimal digit of any script: their code points come in tens, in order. */
function asciiDigit(digit: string): string {
  let zero = digit.codePointAt(0)!;
  for (let n = 0; n < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1)); n += 1) {
    zero -= 1;
  }
  return String((digit.codePointAt(0)! - zero) % 10);
}

/** Keys that differ on a French and on a German keyboard: in pairs, what they type on the US layout and there. */
const layouts = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: keys
  '1&2é3"4\'5(6-7è8_9ç0à-)!1@2#3$4%5^6&7*8(9)0_°qaaqwzzw;m\'ùm,,;.:/!QAAQWZZW:M"%M?<.>/?§[^]${¨}£\\*|µ`²',
  'yzzy-ß=´[ü]+;ö\'ä\\#/-`^YZZY_?+`{Ü}*:Ö"Ä|\'?_@"#§^&&/*(()=)<;>:~°',
].map((pairs) => [[...pairs].filter((_, n) => n % 2 === 0), [...pairs].filter((_, n) => n % 2 === 1)] as const);

/** The text as the same keys type it on the US layout, and as keys of that layout type it on a French or German one. */
export function otherKeyboards(value: string): readonly string[] {
  return layouts.flatMap(([us, other]) => [typedAs(value, other, us), typedAs(value, us, other)]);
}

function typedAs(value: string, from: readonly string[], to: readonly string[]): string {
  return [...value.normalize('NFC')].map((letter) => to[from.indexOf(letter)] ?? letter).join('');
}
