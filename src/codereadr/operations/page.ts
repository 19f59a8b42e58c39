/**
 * HTML pages that devices show in place of a text. The opening tag must be exactly `<html>`: if it has attributes, or
 * follows a doctype, the device shows the source instead.
 */

const htmlStart = /^\s*(?:<!doctype[^>]*>\s*)?<html(?:\s(?:"[^"]*"|'[^']*'|[^'">])*)?>/i;

/** Whether a text is meant to be a page, however its opening tag is written. */
export function isPage(text: string): boolean {
  return htmlStart.test(text);
}

/** A page as devices accept it; any other text stays as it is. */
export function withPlainTag(text: string): string {
  return text.replace(htmlStart, '<html>');
}

/** Whether a text is no page, or one that devices accept. */
export function isPlainPage(text: string): boolean {
  return !isPage(text) || /^\s*<html>/.test(text);
}

/** Why a page is rejected. */
export const notPlainPage =
  'Start the page with exactly <html>. If that tag has attributes, devices show the source instead.';
