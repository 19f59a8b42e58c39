/** Names and time zones of people, as Slack has them. A missing name never delays a post for long nor makes it fail. */
import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type Clock, systemClock } from '../../../clock.js';
import { type Owner, ownerKey } from '../../../ownership.js';
import { withTimeout } from '../../../timeout.js';

export interface NamedPerson {
  readonly id: string;
  readonly name: string;
  readonly zone?: string | undefined;
  /** False for an app, and for somebody who left the workspace. */
  readonly isActive: boolean;
}

export type PersonNames = (owner: Owner, ids: readonly string[]) => Promise<ReadonlyMap<string, NamedPerson>>;

const text = z.string().default('');
const userAnswer = z.object({
  user: z.object({
    ...{ id: z.string(), name: text, deleted: z.boolean().default(false), is_bot: z.boolean().default(false) },
    ...{ tz: z.string().optional(), profile: z.object({ display_name: text, real_name: text }).prefault({}) },
  }),
});

export async function readPerson(client: WebClient, id: string): Promise<NamedPerson> {
  const { user } = userAnswer.parse(await client.users.info({ user: id }));
  const { display_name: display, real_name: real } = user.profile;
  const name = real || display || user.name;
  return { id: user.id, name, zone: user.tz, isActive: !user.is_bot && !user.deleted };
}

const cacheMs = 3_600_000;
const timeoutMs = 2_000;

export function createPersonNames(deps: {
  clientFor(owner: Owner): Promise<WebClient>;
  readonly clock?: Clock;
}): PersonNames {
  const { clientFor, clock = systemClock } = deps;
  const cachedNames = new LRUCache<string, NamedPerson>({ max: 5_000, ttl: cacheMs });
  return async (owner, ids) => {
    const find = async (id: string): Promise<NamedPerson | undefined> => {
      const key = `${ownerKey(owner)} ${id}`;
      const person = cachedNames.get(key) ?? (await readPerson(await clientFor(owner), id));
      cachedNames.set(key, person);
      return person;
    };
    const quick = (id: string) => withTimeout(clock, timeoutMs, () => find(id).catch(() => undefined), undefined);
    const foundNames = await Promise.all(ids.map(quick));
    return new Map(foundNames.flatMap((person) => (person ? [[person.id, person] as const] : [])));
  };
}
