/**
 * The people a post mentions. A watcher is not called for a scan of their own, unless a rule mentions them: the post
 * names them instead. Pure.
 */
import type { Post } from '../../../relay/index.js';
import { type Members, noMembers } from '../../../workspaces/members.js';
import type { RichTextElement } from '../../block-kit/elements.js';
import { escaped, person, textElement } from '../../block-kit/text.js';

export interface Watcher {
  readonly id: string;
  /** The name of a watcher who made the scan: a mention would call them. */
  readonly ownName?: string;
}

export function watchersOf(post: Post, members: Members = noMembers): readonly Watcher[] {
  const scanned = scannedFor(post);
  return post.watchers.map((id) => {
    const users = scanned.filter(({ who }) => who === id).map(({ by }) => by);
    const linked = users.map((by) => (by === undefined ? undefined : members.get(by)));
    const isOwnScan = linked.length > 0 && linked.every((member) => member?.id === id);
    return isOwnScan && linked[0] ? { id, ownName: linked[0].name } : { id };
  });
}

/** The post's mentions without those of watchers for their own scans, unless a rule calls them too. */
export function mentionOf(post: Post, members?: Members): Post['mention'] {
  const ownIds = new Set(watchersOf(post, members).flatMap(({ id, ownName }) => (ownName === undefined ? [] : [id])));
  const posted = new Set(post.rules.map(({ id }) => id));
  const called = new Set(
    post.relay.settings.rules.filter(({ id }) => posted.has(id)).flatMap(({ mention }) => mention.users),
  );
  const { users, groups } = post.mention;
  return { users: users.filter((id) => !ownIds.has(id) || called.has(id)), groups };
}

/** The mention of a watcher, in mrkdwn. */
export function watcherText({ id, ownName }: Watcher): string {
  return ownName === undefined ? `<@${id}>` : `${escaped(ownName)} (own scan)`;
}

export function watcherElement({ id, ownName }: Watcher): RichTextElement {
  return ownName === undefined ? person(id) : textElement(`${ownName} (own scan)`);
}

/** The scanning user of each watched scan, by the account's user id; a digest has the users from its posts. */
function scannedFor(post: Post): readonly { readonly who: string; readonly by?: string | undefined }[] {
  if (post.kind === 'digest') {
    return post.watched;
  }
  return 'scan' in post ? post.watchers.map((watcher) => ({ who: watcher, by: post.scan?.userid })) : [];
}
