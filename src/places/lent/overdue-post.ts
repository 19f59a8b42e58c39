/**
 * Posts about an overdue thing: to its holder, again once it is due by another time, a day later in the list's channel.
 * Older versions posted there too that somebody denied to be its holder.
 */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { equal } from '../../database/equal.js';
import type { Schema } from '../../database/schema.js';
import { readJson } from '../../database/stored-json.js';
import { escalationKey, messageKeyOf } from '../../incidents/incident.js';
import { denialKey, findOverdue, type Overdue } from '../../incidents/overdue.js';
import type { AnyPost, OutboxPost } from '../../posts/index.js';
import type { NewPost } from '../../posts/outbox/enqueue.js';
import type { PlaceList } from '../list.js';
import { findList } from '../list-rows.js';
import { type Place, readPlaces } from '../place.js';

/** The stored facts of the message, as they were when its post was made. */
const postSchema = z.object({
  part: z.enum(['soon', 'due', 'again', 'late', 'denied']),
  incident: z.string(),
  list: z.string(),
  value: z.string(),
  at: z.number(),
  dueAt: z.number(),
  user: z.string(),
  holder: z.string().optional(),
});
export type Reminder = z.output<typeof postSchema>;

export const reminderOf = ({ detail }: OutboxPost): Reminder => readJson(postSchema, detail ?? '', 'overdue post');

export interface OverduePost extends AnyPost, Reminder {
  readonly kind: 'overdue';
  readonly listId: string;
  /** Why the thing is not overdue, or no longer; undefined: it is. `soon`: it is not due yet. */
  readonly over: 'soon' | 'scan' | 'person' | 'extended' | 'rule' | 'gone' | undefined;
  /** The present place of the thing. */
  readonly place: Place | undefined;
  /** When the holder was reminded again, by a newer message, which has the buttons. */
  readonly againAt: number | undefined;
}

export function overduePost(
  list: PlaceList,
  place: Place,
  { key, channel, ...rest }: Pick<Reminder, 'part' | 'incident'> & { readonly key: string; readonly channel: string },
  now: number,
): NewPost {
  const { value, at, dueAt = 0, user, holder } = place;
  const detail: Reminder = { ...rest, list: list.name, value, at, dueAt, user, holder };
  return {
    key,
    queue: { ...list.owner, channel },
    source: { kind: 'list', id: list.id },
    kind: 'overdue',
    at: now,
    detail: JSON.stringify(detail),
  };
}

/** Whether another person has the thing than the one who was reminded. */
export function isOfOther(place: Pick<Place, 'user' | 'holder'>, reminder: Pick<Reminder, 'user' | 'holder'>): boolean {
  return place.user !== reminder.user || place.holder !== reminder.holder;
}

export async function readOverduePost(db: Kysely<Schema>, post: OutboxPost): Promise<OverduePost> {
  const { key, generation, owner, channel, source } = post;
  const reminder = reminderOf(post);
  const [incident, list] = await Promise.all([findOverdue(db, reminder.incident), findList(db, source.id)]);
  const [place] = incident && list ? await readPlaces(db, list, incident) : [];
  const isSoon = incident?.ended?.why === 'soon';
  // An older message says why the thing is due later than the message said.
  const isLater = isSoon && place !== undefined && place.dueAt !== reminder.dueAt;
  const later = place?.extendedBy !== undefined ? 'extended' : place?.at === reminder.at ? 'rule' : 'scan';
  const ended = isLater ? later : incident?.ended?.why;
  // A scan by which somebody else has the thing ends what an older message says.
  const isOthers = place !== undefined && place.at !== reminder.at && isOfOther(place, reminder);
  const isSaid = ended === 'person' || (!isOthers && ['extended', 'rule', 'soon'].includes(ended ?? ''));
  const isOver = isSaid ? (ended as OverduePost['over']) : ended !== undefined || isOthers ? 'scan' : undefined;
  // A list that counts anew does not know the thing yet: its message stays.
  const over = place || (incident && list?.fillTo !== undefined) ? isOver : 'gone';
  const isOlder = incident && reminder.part !== 'denied' && (await hasNewer(db, post, incident));
  const againAt = isOlder ? incident.remindedAt : undefined;
  const facts = { kind: 'overdue' as const, listId: source.id, over, place, againAt };
  return { key, generation, owner, channel, ...reminder, ...facts };
}

/** Whether a newer message has the buttons of the loan: a later reminder, or one in the channel of the list. */
async function hasNewer(
  db: Kysely<Schema>,
  { key, channel }: OutboxPost,
  incident: Pick<Overdue, 'postKey' | 'reposts'>,
): Promise<boolean> {
  if (!key.endsWith(escalationKey(''))) {
    return key !== messageKeyOf(incident);
  }
  const { postKey } = incident;
  const newest = await db
    .selectFrom('outbox')
    .select('key')
    .where(equal({ kind: 'overdue' as const, channel }))
    .where('key', '>=', postKey)
    .where('key', '<', `${postKey}/`)
    .where('key', '!=', denialKey(postKey))
    .orderBy('seq', 'desc')
    .executeTakeFirst();
  return newest?.key !== key;
}
