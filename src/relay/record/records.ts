/** Relay records: the stored form of a relay, and reading it from its rows. */

import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { type Counting, countingShape } from '../../counters/counters.js';
import { equal } from '../../database/equal.js';
import { present } from '../../database/present.js';
import type { RelaySecretsTable, RelaysTable, Schema } from '../../database/schema.js';
import { readJson, readRecord } from '../../database/stored-json.js';
import type { Owner } from '../../ownership.js';
import { type QueueBlock, readBlocks } from '../../posts/outbox/blocked-queues.js';
import { countPosts } from '../../posts/outbox/source-posts.js';
import { type RefusedReason, readRefusals } from '../refusals/refusal-rows.js';

const pauseShape = z.enum(['person', 'token_revoked', 'uninstalled']);
export type PauseReason = z.output<typeof pauseShape>;

export interface RelayRecord {
  readonly id: string;
  readonly owner: Owner;
  /** The services whose scans the relay accepts; empty: all. */
  readonly serviceIds: readonly string[];
  /** The service's name for people, as it was when the relay was made. */
  readonly serviceName: string;
  readonly channel: string;
  /** The scans that a relay without rules posts. */
  readonly notable: 'all' | 'invalid';
  /** The settings as stored JSON; `readSettings` parses it. */
  readonly settings: string;
  readonly counting: Counting;
  readonly createdBy: string;
  readonly createdAt: number;
  /** A paused relay still stores and answers; it posts nothing until it is resumed. */
  readonly paused?: { readonly at: number; readonly why: PauseReason };
}

export interface RelaySecret {
  readonly id: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
}

export interface RelayOverview {
  readonly relay: RelayRecord;
  readonly secrets: readonly RelaySecret[];
  readonly pending: number;
  readonly dead: number;
  readonly scans: number;
  readonly lastScanAt?: number;
  /** Why scans were refused within the last day or so, the most frequent reason first. */
  readonly refused: readonly RefusedReason[];
  /** The blocked channels of the relay's owner; `waiting`: how many of this relay's posts wait there. */
  readonly blocked: readonly BlockedChannel[];
}

export interface BlockedChannel extends QueueBlock {
  readonly channel: string;
  readonly waiting: number;
}

/** The record for the authentication of requests: the hashes (hex) of the live secrets. */
export interface RelayAccess {
  readonly relayId: string;
  readonly owner: Owner;
  /** The relay's settings as stored JSON. */
  readonly settings: string;
  readonly secrets: readonly { readonly id: string; readonly hash: string }[];
}

const serviceIdsShape = z.array(z.string());
const notableShape = z.enum(['all', 'invalid']);

export function toRelay(row: Selectable<RelaysTable>): RelayRecord {
  return {
    id: row.id,
    owner: { installation: row.installation, team: row.team },
    serviceIds: readJson(serviceIdsShape, row.service_ids, 'relay'),
    serviceName: row.service_name,
    channel: row.channel,
    notable: readJson(notableShape, row.notable, 'relay'),
    settings: row.settings,
    counting: row.counting === '{}' ? {} : readJson(countingShape, row.counting, 'relay'),
    createdBy: row.created_by,
    createdAt: row.created_at,
    ...(row.paused_at === null
      ? {}
      : { paused: { at: row.paused_at, why: readRecord(pauseShape, row.paused_why, 'relay') } }),
  };
}

export function toSecret(row: RelaySecretsTable): RelaySecret {
  return { id: row.id, createdAt: row.created_at, ...present({ lastUsedAt: row.last_used_at }) };
}

/** The owner's relays that were not removed; with `id`, only the relay with this id. */
export async function readOverviews(db: Kysely<Schema>, owner: Owner, id?: string): Promise<RelayOverview[]> {
  const rows = await db
    .selectFrom('relays')
    .selectAll()
    .where(equal({ installation: owner.installation, team: owner.team, removed_at: null }))
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .orderBy('id')
    .execute();
  if (rows.length === 0) {
    return [];
  }
  const ids = rows.map((row) => row.id);
  const secrets = await db
    .selectFrom('relay_secrets')
    .selectAll()
    .where('relay_id', 'in', ids)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .execute();
  const posts = await countPosts(db, owner);
  const blocks = await readBlocks(db, owner);
  const refusals = await readRefusals(db, ids);
  return rows.map((row) => ({
    relay: toRelay(row),
    secrets: secrets.filter((secret) => secret.relay_id === row.id).map(toSecret),
    ...(posts.get(row.id) ?? { pending: 0, dead: 0 }),
    scans: row.scans,
    ...(row.last_scan_at === null ? {} : { lastScanAt: row.last_scan_at }),
    refused: refusals.get(row.id) ?? [],
    blocked: blocks.map(({ channel, code, at, retryAt, waiting }) => ({
      channel,
      code,
      at,
      retryAt,
      waiting: waiting.get(row.id) ?? 0,
    })),
  }));
}
