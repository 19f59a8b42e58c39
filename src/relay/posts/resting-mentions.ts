/**
 * The mentions of rules that rest when a post is sent: none goes out in the name of such a rule. Where the rule is in its
 * quiet hours, the mention waits for their end, one for a rule and channel; where it is muted, it is left out.
 */
import type { Clock } from '../../clock.js';
import type { OutboxPost } from '../../posts/outbox/post.js';
import { keepDetail } from '../../posts/outbox/single-posts.js';
import { mutesOf } from '../../watches/mute-rows.js';
import { createMuting } from '../../watches/muting.js';
import type { Store } from '../../workspaces/types.js';
import { lockRecord } from '../record/lock.js';
import { rulesIn } from '../record/relay.js';
import { allMentioned, type PostDetail, readDetail, writeDetail } from '../rules/detail.js';
import { quietOf } from '../rules/ready.js';

type NamedRule = PostDetail['rules'][number];

export function createRestingMentions({ store, clock }: { readonly store: Pick<Store, 'db'>; readonly clock: Clock }) {
  /** Takes mentions of rules that rest now out of a post that is about to be sent. */
  return async ({ key, owner, channel, source, detail: text }: OutboxPost): Promise<void> => {
    const detail = readDetail(text);
    if (!detail.rules.some(({ mention }) => mention)) {
      return;
    }
    await store.db.transaction().execute(async (trx) => {
      const relay = await lockRecord(trx, source.id);
      const now = clock.now();
      const muting = createMuting(relay ? await mutesOf(trx, relay, now) : []);
      const rules = relay ? rulesIn(relay.settings) : [];
      const resting: NamedRule[] = [];
      for (const named of detail.rules.filter(({ mention }) => mention)) {
        const rule = rules.find(({ id, on }) => on && id === named.id);
        const until = rule && quietOf(rule)?.windowAt(now)?.to;
        const isMuted = muting.stops('mention', channel, named.id);
        if (until !== undefined && !isMuted) {
          const late = {
            rules: [named],
            mention: named.mention,
            digest: { why: 'quiet' as const, from: now },
            under: detail.under ?? key,
          };
          await trx
            .insertInto('digests')
            .values({
              ...{ key: `${key}.m${now}.${named.id}`, relay_id: source.id, rule_id: named.id, ...owner, channel },
              ...{ parent_key: null, detail: writeDetail(late) ?? '{}', due_at: until },
            })
            // The rule's open digest, or an earlier mention, speaks for this one too.
            .onConflict((conflict) => conflict.columns(['relay_id', 'rule_id', 'channel']).doNothing())
            .execute();
        }
        if (until !== undefined || isMuted) {
          resting.push(named);
        }
      }
      if (resting.length > 0) {
        await keepDetail(trx, key, writeDetail(withoutMentions(detail, resting)) ?? '{}');
      }
    });
  };
}

function withoutMentions(detail: PostDetail, resting: readonly NamedRule[]): PostDetail {
  const rules = detail.rules.map((rule) => (resting.includes(rule) ? { id: rule.id, name: rule.name } : rule));
  const heard = allMentioned(rules.flatMap(({ mention }) => mention ?? []));
  const called = new Set([
    ...heard.users,
    ...heard.groups,
    ...detail.watchers,
    ...detail.watched.map(({ who }) => who),
  ]);
  const silent = allMentioned(resting.flatMap(({ mention }) => mention ?? []));
  const isHeard = (id: string) => called.has(id) || !(silent.users.includes(id) || silent.groups.includes(id));
  const { users, groups } = detail.mention;
  return { ...detail, rules, mention: { users: users.filter(isHeard), groups: groups.filter(isHeard) } };
}
