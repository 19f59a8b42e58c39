/**
 * Lanes of a channel's queue: an alert overtakes the scans that wait before it. Order holds within a lane, and a thread
 * parent is in the lower lane, so that no reply goes before it.
 */
import type { PostKind } from '../database/schema.js';

export const urgentLane = 0;
export const usualLane = 1;
/** In their order. */
export const lanes = [urgentLane, usualLane] as const;

export const laneOf: Readonly<Record<PostKind, number>> = {
  burst: urgentLane,
  silence: urgentLane,
  incident: urgentLane,
  card: urgentLane,
  scan: usualLane,
  digest: usualLane,
};
