/** The posts of lists as a publisher gets them. */
import type { z } from 'zod';
import type { CrossedThreshold } from '../incidents/thresholds.js';
import type { AnyPost } from '../posts/index.js';
import type { thresholdDetail } from './alerts.js';
import type { BoardContent, PlaceBoard } from './boards.js';
import type { DoubleDetail } from './doubles.js';
import type { OverduePost } from './lent/overdue-post.js';

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

export type PlacesPost = BoardPost | ThresholdPost | DoublePost | OverduePost;

/** To those who can repair it: a board whose message cannot be updated; an alert that its channel does not take. */
export type PlacesNotice =
  | { readonly what: 'board_lost'; readonly board: PlaceBoard; readonly name: string }
  | { readonly what: 'alert_undelivered'; readonly post: ThresholdPost | DoublePost | OverduePost };
