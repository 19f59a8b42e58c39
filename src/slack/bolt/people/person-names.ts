/** Names and time zones of people, as Slack has them. A missing name never delays a post for long nor makes it fail. */
import type { WebClient } from '@slack/web-api';
import { type Clock, systemClock } from '../../../clock.js';
import { type Owner, ownerKey } from '../../../ownership.js';
import { createReadCache } from '../../../read-cache.js';
import { withTimeout } from '../../../timeout.js';
import { readUser } from './users-info.js';

export interface NamedPerson {
  readonly id: string;
  readonly name: string;
  readonly zone?: string | undefined;
  /** False for an app, and for somebody who left the workspace. */
  readonly isActive: boolean;
}

export type PersonNames = (owner: Owner, ids: readonly string[]) => Promise<ReadonlyMap<string, NamedPerson>>;

export async function readPerson(client: WebClient, id: string): Promise<NamedPerson> {
  const { profile, ...user } = await readUser(client, id);
  const name = profile.real_name || profile.display_name || user.name;
  return { id: user.id, name, zone: user.tz, isActive: !user.is_bot && !user.deleted };
}

const timeoutMs = 2_000;

export function createPersonNames(deps: {
  clientFor(owner: Owner): Promise<WebClient>;
  readonly clock?: Clock;
}): PersonNames {
  const { clientFor, clock = systemClock } = deps;
  const cached = createReadCache<NamedPerson>(clock, { max: 5_000, ttl: 3_600_000 });
  return async (owner, ids) => {
    const find = (id: string) =>
      cached(`${ownerKey(owner)} ${id}`, async () => await readPerson(await clientFor(owner), id)).catch(
        () => undefined,
      );
    const quick = (id: string) => withTimeout(clock, timeoutMs, () => find(id), undefined);
    const foundNames = await Promise.all(ids.map(quick));
    return new Map(foundNames.flatMap((person) => (person ? [[person.id, person] as const] : [])));
  };
}
