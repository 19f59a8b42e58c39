/**
 * Templates of answer texts, with placeholders. In a page every value is HTML-escaped; a placeholder without a value
 * becomes empty; unknown braces stay as they are. Pure.
 */
import { isPage } from '../../codereadr/operations/page.js';

export const placeholders = ['value', 'response', 'user', 'device', 'service', 'count', 'time', 'database'] as const;
export type Placeholder = (typeof placeholders)[number];

export type Replacements = Readonly<Record<Placeholder, string>>;

const placeholderPattern = new RegExp(`\\{(${placeholders.join('|')})\\}`, 'g');

export function fillPlain(template: string, filling: Replacements): string {
  return template.replace(placeholderPattern, (_, name: Placeholder) => filling[name]);
}

/** The most characters of a value in a page, to leave room for the page. */
const longestInPage = 1_000;

/** Fills a page: a template that is only a part of a page is wrapped in a whole one. */
export function fillPage(template: string, filling: Replacements): string {
  const filledText = template.replace(placeholderPattern, (_, name: Placeholder) =>
    escapeHtml(shortened(filling[name])),
  );
  return isPage(filledText) ? filledText : `<html><body>${filledText}</body></html>`;
}

/** Placeholders stand behind the host, so that no value chooses it. */
const urlTemplate = /^https?:\/\/[^\s/?#{}<>"]+(?:[/?#][^\s<>"]*)?$/i;

export function isUrlTemplate(template: string): boolean {
  return urlTemplate.test(template) && URL.canParse(template);
}

/** Fills a URL; undefined where the template is no URL. */
export function fillUrl(template: string, filling: Replacements): string | undefined {
  const encoded = (value: string) => encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'));
  return isUrlTemplate(template)
    ? template.replace(placeholderPattern, (_, name: Placeholder) => encoded(filling[name]))
    : undefined;
}

export function placeholdersIn(templates: readonly string[]): ReadonlySet<Placeholder> {
  return new Set(
    templates.flatMap((template) => [...template.matchAll(placeholderPattern)].map(([, name]) => name as Placeholder)),
  );
}

/** The text of a page for people who read it elsewhere: without tags, styles and scripts. */
export function textOfPage(page: string): string {
  return page
    .replace(/<(style|script|title)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|#96);/g, (_, name: keyof typeof characters) => characters[name])
    .replace(/\s+/g, ' ')
    .trim();
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // Quotes are escaped too, so that a value stays within the attribute or expression that contains its placeholder.
  '`': '&#96;',
};
const characters = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`' } as const;

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => entities[character]!);
}

function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * longestInPage)];
  return characters.length > longestInPage || text.length > 2 * longestInPage
    ? `${characters.slice(0, longestInPage).join('')}…`
    : text;
}
