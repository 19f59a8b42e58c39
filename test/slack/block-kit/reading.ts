/** A reader of blocks: every visible text, with the way Slack renders it. */

export interface ShownText {
  /** `exact`: character by character. `mrkdwn`: with formatting, links, mentions and emoji. */
  readonly how: 'exact' | 'mrkdwn';
  readonly text: string;
  readonly code: boolean;
}

/** Every text in blocks: of a date only the words before its first token, of a link no URL. */
export function shownTexts(value: unknown): ShownText[] {
  if (Array.isArray(value)) {
    return value.flatMap(shownTexts).reduce<ShownText[]>(joined, []);
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  const node = value as Record<string, unknown>;
  if (node.type === 'date') {
    const words = String(node.format).replace(/\{.*$/, '');
    return words === '' ? [] : [{ how: 'exact', text: words, code: false }];
  }
  if (typeof node.text === 'string') {
    if (node.type === 'mrkdwn') return [{ how: 'mrkdwn', text: node.text, code: false }];
    if (node.type === 'plain_text')
      return [{ how: node.emoji === false ? 'exact' : 'mrkdwn', text: node.text, code: false }];
    if (node.type === 'text' || node.type === 'link') {
      const style = node.style as { code?: boolean } | undefined;
      return [{ how: 'exact', text: node.text, code: style?.code === true }];
    }
  }
  return Object.values(node).flatMap(shownTexts);
}

/** All visible text, in order. */
export function read(blocks: unknown): string {
  return shownTexts(blocks)
    .map((shown) => shown.text)
    .join('');
}

/** Joins adjacent pieces of code, since a barcode may be split where Slack could decode it. */
function joined(before: ShownText[], next: ShownText): ShownText[] {
  const last = before.at(-1);
  return last?.code && next.code && last.text.endsWith('&')
    ? [...before.slice(0, -1), { ...last, text: last.text + next.text }]
    : [...before, next];
}
