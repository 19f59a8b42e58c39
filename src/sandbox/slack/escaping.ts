/**
 * Escaping of `& < >`, which Slack stores as entities: in a person's text, and in an app's text that is not escaped.
 * The app always reads entities back; control sequences (`<@U…>`, `<https://…|…>`) are left alone.
 */

/** Escapes a person's input. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const escapedPart = /&(?:amp|lt|gt);|<(?:[@#][A-Z][A-Z0-9]+|![a-z]+|(?:https?|mailto|tel):[^<>|\s]+)(?:[|^][^<>]*)?>/g;

/**
 * Escapes an app's text as Slack returns it: entities and control sequences as they are, every other `&`, `<` and `>`
 * escaped.
 */
export function escapedAsPosted(text: string): string {
  let escaped = '';
  let at = 0;
  for (const found of text.matchAll(escapedPart)) {
    escaped += escapeText(text.slice(at, found.index)) + found[0];
    at = found.index + found[0].length;
  }
  return escaped + escapeText(text.slice(at));
}

/** Escapes every text object in the blocks, plain_text too. rich_text has no markup and is left alone. */
export function blocksAsPosted<T>(value: T): T {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => blocksAsPosted(one)) as T;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const fields = value as Record<string, unknown>;
  if ((fields.type === 'plain_text' || fields.type === 'mrkdwn') && typeof fields.text === 'string') {
    return { ...fields, text: escapedAsPosted(fields.text) } as T;
  }
  return fields.type === 'rich_text'
    ? value
    : (Object.fromEntries(Object.entries(fields).map(([name, inner]) => [name, blocksAsPosted(inner)])) as T);
}
