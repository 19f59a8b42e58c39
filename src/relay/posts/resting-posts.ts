/**
 * Posts of rules that rest when they are sent. An alert and its escalation wait again for the end of quiet hours or of a
 * mute. Of other posts the mention alone rests: in quiet hours it waits for their end, one for a rule and channel; a
 * mute leaves it out.
 */
import { sql, type Transaction } from 'kysely';
import type { Clock } from '../../clock.js';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import { holdAlert } from '../../incidents/hold.js';
import type { OutboxPost } from '../../posts/outbox/post.js';
import { keepDetail } from '../../posts/outbox/single-posts.js';
import { mutesOf } from '../../watches/mute-rows.js';
import { createMuting } from '../../watches/muting.js';
import type { Store } from '../../workspaces/types.js';
import { collectsText } from '../commit/rules.js';
import { lockRecord } from '../record/lock.js';
import { rulesIn } from '../record/relay.js';
import { allMentioned, joinDetails, type PostDetail, readDetail, writeDetail } from '../rules/detail.js';
import { quietOf } from '../rules/ready.js';
import { quietUntilOf } from '../rules/timers/check-incident.js';

type Trx = Transaction<Schema>;
type NamedRule = PostDetail['rules'][number];

/** How a rule rests: it is muted, or in quiet hours until then. */
type Rest = 'muted' | { readonly until: number } | undefined;

export function createRestingPosts({ store, clock }: { readonly store: Pick<Store, 'db'>; readonly clock: Clock }) {
  /** Holds what must not be said now of a post that is about to be sent. */
  return async (post: OutboxPost): Promise<void> => {
    const { kind, channel, source, ruleId = '' } = post;
    const isAlert = kind === 'burst' || kind === 'silence' || kind === 'escalation';
    const detail = readDetail(post.detail);
    if (!isAlert && !detail.rules.some(({ mention }) => mention)) {
      return;
    }
    await store.db.transaction().execute(async (trx) => {
      const relay = await lockRecord(trx, source.id);
      if (!relay) {
        return;
      }
      const now = clock.now();
      // What a mute for a number of posts left in, it counted.
      const mutes = (await mutesOf(trx, relay, now)).filter(({ limit }) => !isAlert || !limit);
      const muting = createMuting(mutes);
      const rules = rulesIn(relay.settings);
      const ruleOf = (id: string) => rules.find((one) => one.on && one.id === id);
      if (isAlert) {
        const rule = ruleOf(ruleId);
        await (rule &&
          (quietUntilOf(kind, rule, now) || muting.stops(kind, rule.channel, rule.id)) &&
          holdAlert(trx, post, now));
        return;
      }
      const restOf = (id: string): Rest => {
        const rule = ruleOf(id);
        const until = rule && quietOf(rule)?.windowAt(now)?.to;
        return muting.stops('mention', channel, id) ? 'muted' : until === undefined ? undefined : { until };
      };
      const resting: NamedRule[] = [];
      for (const named of detail.rules.filter(({ mention }) => mention)) {
        const rest = restOf(named.id);
        if (rest) {
          resting.push(named);
          await (rest !== 'muted' && waitUntil(trx, post, named, { from: now, ...rest }));
        }
      }
      if (resting.length > 0) {
        await keepDetail(trx, post.key, writeDetail(withoutMentions(detail, resting)) ?? '{}');
      }
    });
  };
}

/** Keeps the mention of a rule for the end of its quiet hours. */
async function waitUntil(
  trx: Trx,
  { key, kind, owner, channel, source, detail }: OutboxPost,
  named: NamedRule,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<void> {
  const under = kind === 'mention' ? readDetail(detail).under : [key];
  const late = { rules: [named], mention: named.mention, digest: { why: 'quiet' as const, from }, under };
  const added = writeDetail(late) ?? '{}';
  const place = { relay_id: source.id, rule_id: named.id, channel };
  const open = await trx.selectFrom('digests').select(['key', 'detail']).where(equal(place)).executeTakeFirst();
  // The rule's open digest, or an earlier mention, speaks for this one too.
  await (open
    ? trx
        .updateTable('digests')
        .set({ detail: joinDetails({ ...open, collects: true }, added) })
        .where('key', '=', open.key)
        .execute()
    : trx
        .insertInto('digests')
        .values({
          key: `${key}.m${from}.${named.id}`,
          ...place,
          ...owner,
          parent_key: null,
          detail: added,
          due_at: until,
        })
        .execute());
}

/**
 * Deletes the digests and the mentions of relays that stand for no post any more, as those of forgotten scans. Call it
 * with the relays locked.
 */
export async function eraseEmptyDigests(trx: Trx, relayIds: readonly string[]): Promise<void> {
  const collects = sql.raw<unknown>(collectsText).as('collects');
  const digests = trx.selectFrom('digests').select(['key', 'detail', collects]).where('relay_id', 'in', relayIds);
  for (const { key, detail: text, collects } of await digests.execute()) {
    const detail = readDetail(text);
    const posts = trx
      .selectFrom('outbox')
      .select('key')
      .where('key', 'in', [...detail.under, '']);
    const there = new Set((await posts.execute()).map((post) => post.key));
    const under = detail.under.filter((one) => there.has(one));
    if (!collects && under.length === 0) {
      await trx.deleteFrom('digests').where('key', '=', key).execute();
    } else if (under.length < detail.under.length) {
      const left = writeDetail({ ...detail, under }) ?? '{}';
      await trx.updateTable('digests').set({ detail: left }).where('key', '=', key).execute();
    }
  }
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
