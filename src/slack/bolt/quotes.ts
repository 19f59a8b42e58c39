/** The quotes around typed text: straight, curly, low and full-width; phone keyboards differ by language. Pure. */

export const quote = '["\\u201c\\u201d\\u201e\\u201f\\uff02]';
export const quotedText = `${quote}${quote.replace('[', '[^')}*${quote}`;
/** A text that is in exactly one pair of quotes. */
export const isQuoted = new RegExp(`^${quotedText}$`, 'u');

/** A command's text without outer space and the one pair of quotes around it. */
export function unquoted(text: string): string {
  const trimmedText = text.trim();
  return isQuoted.test(trimmedText) ? trimmedText.slice(1, -1) : trimmedText;
}
