/** The blocks all relay posts share: mentions, the rule that matched, the acknowledgement and the buttons. Pure. */

import { z } from 'zod';
import { plural } from '../../../english.js';
import type { Acknowledgement, AnyPost } from '../../../relay/index.js';
import { actions, type Block, button, context, cut, plain, section } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { escaped, mrkdwnMomentAfter } from '../../block-kit/text.js';
import { encode, longest } from '../../bolt/metadata.js';

/** What the buttons of a post carry: its key, never the barcode, which can be longer than a button's value. */
export const postData = z.object({ post: z.string() });

/** Mentions of people and groups, and nothing else. */
export function mentions({ mention: { users, groups } }: Pick<AnyPost, 'mention'>): string {
  return [
    ...users.filter((id) => /^[UW][A-Z0-9]+$/.test(id)).map((id) => `<@${id}>`),
    ...groups.filter((id) => /^S[A-Z0-9]+$/.test(id)).map((id) => `<!subteam^${id}>`),
  ].join(' ');
}

/** First in the post, so that a mentioned person sees why. */
export function callBlocks(post: Pick<AnyPost, 'mention'>): Block[] {
  const called = mentions(post);
  return called === '' ? [] : [section(called)];
}

/** Notification text: the mentions, then what the post is about. */
export function withCall(post: Pick<AnyPost, 'mention'>, text: string): string {
  const called = mentions(post);
  return called === '' ? text : `${called} ${text}`;
}

/** Why it was posted, where that is not obvious. `clauses`: of rules without a name that combine conditions. */
export function reasonBlocks(
  { rules, watchers }: Pick<AnyPost, 'rules' | 'watchers'>,
  clauses: readonly string[] = [],
): Block[] {
  const named = rules.map(({ name }) => name).filter((name) => name !== '');
  const reasons = [
    ...(named.length > 0
      ? [`${plural(named.length, 'Rule')}: ${named.map((name) => `“${escaped(shortName(name, 80))}”`).join(', ')}`]
      : []),
    ...(watchers.length > 0 ? [`Watched by ${watchers.map((id) => `<@${id}>`).join(', ')}`] : []),
  ];
  return [
    ...clauses.map((clause): Block => ({ type: 'context', elements: [plain(cut(`Rule: ${clause}`, 300))] })),
    ...(reasons.length > 0 ? [context(reasons.join(' · '))] : []),
  ];
}

export interface PostButtons {
  /** The post's key. */
  readonly key: string;
  readonly acknowledged?: Acknowledgement | undefined;
  /** Whether there is a barcode to look up. */
  readonly lookup: boolean;
}

/** Who acknowledged it, for everyone; then the buttons. */
export function buttonBlocks({ key, acknowledged, lookup }: PostButtons): Block[] {
  const value = encode(postData, { post: key }, longest.button);
  return [
    ...(acknowledged
      ? [context(`✅ Acknowledged by <@${acknowledged.by}>${mrkdwnMomentAfter(', ', acknowledged.at)}`)]
      : []),
    actions([
      ...(lookup ? [button('Look up', 'post.lookup', { value })] : []),
      ...(acknowledged ? [] : [button('Acknowledge', 'post.acknowledge', { value })]),
      button('Mute', 'post.mute', { value }),
    ]),
  ];
}
