/** The maker of lists' posts: boards with present figures, alerts with what became of them, notices about both. */
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../clock.js';
import type { Schema } from '../database/schema.js';
import { readJson } from '../database/stored-json.js';
import { type CrossedThreshold, findThreshold } from '../incidents/thresholds.js';
import type { AnyPost, NoticeJobs, NoticePost, OutboxPost, PostMaker } from '../posts/index.js';
import { findPost } from '../posts/outbox/single-posts.js';
import { thresholdDetail } from './alerts.js';
import {
  type BoardContent,
  boardContent,
  boardsToNotify,
  findBoard,
  loseBoard,
  markBoardNotified,
  type PlaceBoard,
  recordBoardContent,
} from './boards.js';
import { type DoubleDetail, doubleDetail } from './doubles.js';
import { type OverduePost, readOverduePost } from './lent/overdue-post.js';
import { holdInQuietHours } from './lent/quiet-hours.js';
import { findList } from './list-rows.js';

/** A board's post. `gone`: nobody shows the list there any more, and the message is deleted. */
export type BoardPost = AnyPost & { readonly kind: 'board'; readonly shows: BoardContent | 'gone' };

export interface ThresholdPost extends AnyPost {
  readonly kind: 'threshold';
  /** The threshold as known when it was crossed. */
  readonly threshold: z.output<typeof thresholdDetail>;
  readonly incident: CrossedThreshold;
}

export interface DoublePost extends AnyPost {
  readonly kind: 'double';
  readonly double: DoubleDetail;
}

type AlertPost = ThresholdPost | DoublePost | OverduePost;
export type PlacesPost = BoardPost | AlertPost;

/** A notice to admins and the person who set it up: a board cannot be updated, or an alert's channel takes no post. */
export type PlacesNotice =
  | { readonly what: 'board_lost'; readonly board: PlaceBoard; readonly name: string }
  | { readonly what: 'alert_undelivered'; readonly post: AlertPost }
  | z.output<typeof returnedNotice>;

/** The notice to a person who waited for a lent thing. `outAt`: when it went out again. */
const returnedNotice = z.object({
  what: z.literal('returned'),
  list: z.string(),
  value: z.string(),
  at: z.number(),
  outAt: z.number().optional(),
});

const noticeSchema = z.discriminatedUnion('what', [
  z.object({ what: z.literal('board_lost'), board: z.string() }),
  z.object({ what: z.literal('alert_undelivered'), post: z.string() }),
  returnedNotice,
]);

const basePost = ({ key, generation, owner, channel }: OutboxPost) => ({ key, generation, owner, channel });

export function createPlacesMaker(deps: {
  readonly store: { readonly db: Kysely<Schema> };
  readonly clock: Clock;
  readonly notices: NoticeJobs;
  /** Called when a notice is due. */
  readonly onNotices: () => void;
}): PostMaker {
  const { store, clock, notices, onNotices } = deps;
  const { db } = store;

  const boardOf = async (post: OutboxPost): Promise<BoardPost | undefined> => {
    const board = await findBoard(db, post.key);
    const list = board && (await findList(db, board.listId));
    if (!list || board.lost) {
      // A post in doubt is searched for first: if it is there, it is deleted.
      const isThere = post.state === 'delivered' || post.state === 'unconfirmed';
      return isThere && !board ? { ...basePost(post), kind: 'board', shows: 'gone' } : undefined;
    }
    const now = clock.now();
    const content = await boardContent(db, list, now);
    if (post.state !== 'unconfirmed') {
      await recordBoardContent(db, list, { key: post.key, content, now });
    }
    return { ...basePost(post), kind: 'board', shows: content };
  };

  const alertOf = async (post: OutboxPost): Promise<AlertPost | undefined> => {
    if (post.kind === 'overdue') {
      return await readOverduePost(db, post);
    }
    const detail = post.detail ?? '';
    if (post.kind === 'double') {
      return { ...basePost(post), kind: 'double', double: readJson(doubleDetail, detail, 'double admission') };
    }
    const incident = await findThreshold(db, post.key);
    return (
      incident && {
        ...basePost(post),
        kind: 'threshold',
        threshold: readJson(thresholdDetail, detail, 'threshold'),
        incident,
      }
    );
  };

  const noticeOf = async ({ owner, detail }: OutboxPost): Promise<PlacesNotice | undefined> => {
    const notice = readJson(noticeSchema, detail ?? '', 'notice of a list');
    if (notice.what === 'returned') {
      return notice;
    }
    if (notice.what === 'alert_undelivered') {
      const undelivered = await findPost(db, notice.post, owner);
      const post = undelivered && (await alertOf(undelivered));
      const isGone = post === undefined || (post.kind === 'overdue' && post.over === 'gone');
      return isGone ? undefined : { what: 'alert_undelivered', post };
    }
    const board = await findBoard(db, notice.board);
    const list = board && (await findList(db, board.listId));
    return list && { what: 'board_lost', board, name: list.name };
  };

  const postLost = async ({ kind, key }: OutboxPost, code: string): Promise<void> => {
    if (kind === 'board' && (await loseBoard(db, key, code, clock.now()))) {
      onNotices();
    }
  };

  return {
    ready: (post) => holdInQuietHours(deps, post),

    async of(post): Promise<PlacesPost | NoticePost<PlacesNotice> | 'over' | undefined> {
      if (post.kind === 'notice') {
        const notice = await noticeOf(post);
        return notice && { ...basePost(post), kind: 'notice', notice };
      }
      const shown = await (post.kind === 'board' ? boardOf(post) : alertOf(post));
      // Nobody hears that a thing which a wrong clock found overdue is not, unless they have a message.
      const isFalse = shown?.kind === 'overdue' && shown.over === 'soon' && shown.part !== 'soon';
      return isFalse && post.state === 'sending' ? 'over' : shown;
    },

    /** An alert whose channel is gone is not sent: the list's creator and the admins get a notice by direct message. */
    async gone(post, { why, code }) {
      await postLost(post, code);
      const list = await findList(db, post.source.id);
      const isPrivate = post.kind === 'notice' || !/^[CG]/.test(post.channel);
      if (!isPrivate && post.kind !== 'board' && why === 'channel_gone' && list) {
        await notices.add({
          key: `${post.key}.undelivered`,
          owner: post.owner,
          source: post.source,
          people: [list.createdBy],
          withAdmins: true,
          detail: JSON.stringify({ what: 'alert_undelivered', post: post.key } satisfies z.output<typeof noticeSchema>),
        });
      }
      return 'reject';
    },

    lost: postLost,

    dueNotices: [
      async () =>
        (await boardsToNotify(db)).map(({ key, listId, owner, createdBy }) => ({
          key: `${key}.lost`,
          owner,
          source: { kind: 'list', id: listId },
          people: [createdBy],
          withAdmins: true,
          detail: JSON.stringify({ what: 'board_lost', board: key } satisfies z.output<typeof noticeSchema>),
          sent: (at) => markBoardNotified(db, key, at),
        })),
    ],
  };
}
