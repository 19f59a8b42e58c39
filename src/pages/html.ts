/** HTML as a value: templates are trusted, inserted text is escaped, and only HTML made here is inserted as it is. */
import { writtenForm } from '../codereadr/xml/hidden-characters.js';
import { escapeHtml } from '../relay/validation/template.js';

export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | readonly (Html | string)[];

/** A template whose parts are escaped, also within a quoted attribute. Lists are concatenated. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.map((text, at) => text + toHtml(parts[at])).join('') };
}

function toHtml(part: Part): string {
  if (part === undefined) {
    return '';
  }
  if (typeof part === 'string' || typeof part === 'number') {
    return escapeHtml(String(part));
  }
  return 'html' in part ? part.html : part.map(toHtml).join('');
}

/** Invisible characters, and those that reverse the direction of text. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u00a0\u115f\u1160\u3164\uffa0]/gu;

/** A barcode with its invisible characters shown by a control picture (␝) or a code point (⟨U+200B⟩). */
export function visibleBarcode(value: string): string {
  return value.replace(invisible, writtenForm);
}
