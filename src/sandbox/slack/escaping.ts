/**
 * The three characters that Slack keeps as entities, `& < >`: in what a person types, and in what an app posted without
 * escaping it. What comes back to the app always has them as entities; a control sequence (`<@U…>`, `<https://…|…>`) stays.
 */

/** What a person typed. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const kept = /&(?:amp|lt|gt);|<(?:[@#][A-Z][A-Z0-9]+|![a-z]+|(?:https?|mailto|tel):[^<>|\s]+)(?:[|^][^<>]*)?>/g;

/** What an app posted, as Slack hands it back: an entity or a control sequence as it is, every other such character escaped. */
export function escapedAsPosted(text: string): string {
  let escaped = '';
  let at = 0;
  for (const found of text.matchAll(kept)) {
    escaped += escapeText(text.slice(at, found.index)) + found[0];
    at = found.index + found[0].length;
  }
  return escaped + escapeText(text.slice(at));
}

/** Every text object in blocks, plain_text too. What stands in rich_text is no markup, and stays. */
export function blocksAsPosted<T>(value: T): T {
  if (Array.isArray(value)) {
    return value.map((one: unknown) => blocksAsPosted(one)) as T;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const one = value as Record<string, unknown>;
  if ((one.type === 'plain_text' || one.type === 'mrkdwn') && typeof one.text === 'string') {
    return { ...one, text: escapedAsPosted(one.text) } as T;
  }
  return one.type === 'rich_text'
    ? value
    : (Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, blocksAsPosted(inner)])) as T);
}
