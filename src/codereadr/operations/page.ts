/**
 * Pages that devices show in place of a text. Their opening tag is exactly `<html>`: with attributes, or behind a doctype,
 * the device shows the source instead.
 */

const opening = /^\s*(?:<!doctype[^>]*>\s*)?<html(?:\s(?:"[^"]*"|'[^']*'|[^'">])*)?>/i;

/** Whether a text means to be a page, however its opening tag is written. */
export function isPage(text: string): boolean {
  return opening.test(text);
}

/** A page as devices take it; any other text stays as it is. */
export function withPlainTag(text: string): string {
  return text.replace(opening, '<html>');
}

/** Whether a text that is shown as a page, or is none, begins as devices take it. */
export function isPlainPage(text: string): boolean {
  return !isPage(text) || /^\s*<html>/.test(text);
}

/** Why a page is refused. */
export const notPlainPage = 'Begin the page with exactly <html>. With attributes in that tag, devices show its source.';
