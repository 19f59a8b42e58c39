/**
 * A model of Slack's mrkdwn, as far as it could turn outside text into mentions, links, code, formatting or emoji. It
 * is more eager than Slack, so that what passes here also passes in Slack.
 */
export interface Drawn {
  /** The visible text. */
  readonly text: string;
  /** Everything that is more than plain characters. */
  readonly more: readonly string[];
}

const patterns: readonly [kind: string, pattern: RegExp][] = [
  ['code', /```([\s\S]+?)```|`([^`\n]+)`/],
  ['reference', /<([^<>\n]+)>/],
  ['emoji', /:[a-z0-9_+'-]+:/i],
  ['bold', /\*([^*\n]+)\*/],
  ['italic', /_([^_\n]+)_/],
  ['strike', /~([^~\n]+)~/],
];

export function drawMrkdwn(mrkdwn: string): Drawn {
  for (const [kind, pattern] of patterns) {
    const found = pattern.exec(mrkdwn);
    if (found) {
      const before = drawMrkdwn(mrkdwn.slice(0, found.index));
      const after = drawMrkdwn(mrkdwn.slice(found.index + found[0].length));
      const inner = decoded(found.slice(1).find((group) => group !== undefined) ?? '');
      return { text: before.text + inner + after.text, more: [...before.more, kind, ...after.more] };
    }
  }
  return { text: decoded(mrkdwn), more: [] };
}

function decoded(text: string): string {
  return text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
}
