/** Routing of a rule's post: into its channel at once, under the day's thread parent, or into a digest. Pure. */
import { dayIn } from '../../schedules/schedule.js';
import type { AlertPost, DecidedPost } from '../commit/index.js';
import type { Rule } from '../record/settings.js';
import { detailOf, namedRule, type PostDetail, writeDetail } from './detail.js';
import type { NotablePost } from './evaluate.js';
import { burstOf } from './ready.js';

/** Routes a post. @param routedAt the arrival of its scan or submit, or now: decides on day, digest, quiet hours */
export function routePost(
  post: NotablePost,
  relayId: string,
  routedAt: number,
  moreDetail: Partial<PostDetail> = {},
): DecidedPost {
  const [rule] = post.rules;
  const detail = writeDetail({ ...detailOf(post), ...moreDetail });
  return {
    channel: post.channel,
    kind: post.kind,
    ...(rule === undefined ? {} : { rule: rule.id }),
    ...(detail === undefined ? {} : { detail }),
    ...(rule && post.how === 'thread' ? { threadParent: threadParentOf(rule, relayId, routedAt) } : {}),
    ...(rule && post.until !== undefined ? { collect: collected(post, post.until, routedAt) } : {}),
  };
}

/** The post of an alert, which no digest collects and no thread holds. */
export function alertPost(rule: Rule, alert: Pick<Partial<PostDetail>, 'silence'>, mentions = true): AlertPost {
  const { id, name, channel, mention } = rule;
  const burst = burstOf(rule);
  const detail = writeDetail({
    rules: [{ id, name }],
    ...alert,
    ...(mentions ? { mention: { users: [...mention.users], groups: [...mention.groups] } } : {}),
    ...(burst ? { burst: { n: burst.n, minutes: burst.minutes } } : {}),
  });
  return { channel, kind: burst ? 'burst' : 'silence', rule: id, ...(detail === undefined ? {} : { detail }) };
}

function collected(post: NotablePost, until: number, at: number): NonNullable<DecidedPost['collect']> {
  const why = post.quiet ? ('quiet' as const) : ('collected' as const);
  const detail = writeDetail({ ...detailOf({ ...post, watchers: [] }), digest: { why, from: at } });
  return { until, detail: detail ?? '{}' };
}

/** The thread parent for a rule, channel and day, in the rule's zone or else UTC. */
function threadParentOf(rule: Rule, relayId: string, at: number): { readonly key: string; readonly detail: string } {
  const day = dayIn(zoneOfRule(rule) ?? 'UTC', at);
  const { id, mention } = rule;
  return {
    key: `card.${relayId}.${day}.${rule.channel}.${id}`,
    detail: JSON.stringify({ rules: [namedRule(rule)], mention, card: { day } }),
  };
}

/** The zone of the rule's hours; undefined for a rule without any. */
export function zoneOfRule({ when, quiet }: Pick<Rule, 'when' | 'quiet'>): string | undefined {
  const timed = when.find((condition) => 'hours' in condition);
  return timed?.hours.zone ?? quiet?.zone;
}
