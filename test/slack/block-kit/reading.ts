/** Reads blocks as a person does: every text that is shown, by the way in which Slack shows it. */

export interface ShownText {
  /** `exact`: letter by letter. `mrkdwn`: Slack makes formatting, links, mentions and emoji of it. */
  readonly how: 'exact' | 'mrkdwn';
  readonly text: string;
  readonly code: boolean;
}

/** Every text in blocks; of dates the words before them, of links not the URL. */
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

/** All a person reads, in order. */
export function read(blocks: unknown): string {
  return shownTexts(blocks)
    .map((shown) => shown.text)
    .join('');
}

/** Two pieces of code beside each other are one to whoever reads: a barcode may be cut where Slack could decode it. */
function joined(before: ShownText[], next: ShownText): ShownText[] {
  const last = before.at(-1);
  return last?.code && next.code && last.text.endsWith('&')
    ? [...before.slice(0, -1), { ...last, text: last.text + next.text }]
    : [...before, next];
}
