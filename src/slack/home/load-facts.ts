/** Loads what App Home shows: from the database at first, then with the account's status, today's counts and scopes. */
import type { WebClient } from '@slack/web-api';
import { DateTime } from 'luxon';
import type { Owner } from '../../ownership.js';
import type { RelayState } from '../../relay/relays/types.js';
import { withTimeout } from '../../timeout.js';
import type { Person, RequiredRole } from '../bolt/people/permissions.js';
import type { ListenerDeps } from '../bolt/routing/context.js';
import type { Actor } from '../bolt/routing/deps.js';
import { channelsOf } from '../channel-posts/describe/describe-relay.js';
import { viewerOf } from '../channel-posts/watches/viewer.js';
import { scopeReport } from '../connection/scope-report.js';
import { type ConnectionStatus, liveStatus, localStatus } from '../connection/status.js';
import { lentThings } from '../lent/things.js';
import { recentLookups } from '../lookup/index.js';
import { listedPlaces } from '../places/index.js';
import { listedReports } from '../reports/load-views.js';
import type { HomeFacts, OpenAlert, Today } from './facts.js';

export interface HomeViewer {
  readonly role: RequiredRole;
  readonly person: Person;
}

/** The person who opens App Home, with their role. @throws SlackError `slack.not_allowed` */
export async function loadViewer(deps: ListenerDeps, client: WebClient, actor: Actor): Promise<HomeViewer> {
  const [person, role] = await Promise.all([
    deps.permissions.require(client, actor, 'everyone'),
    deps.permissions.highestRole(client, actor),
  ]);
  return { person, role };
}

/** How long the first view waits for today's counts and for Slack. */
const firstViewTimeoutMs = 300;
const mostAuditEntries = 3;

export interface LoadedFacts {
  /** What the database knows, with today's counts and the scopes if they came in time for the first view. */
  readonly local: HomeFacts;
  /** The facts with what takes longer: the account's answer, today's counts, the scopes that Slack granted. */
  live(): Promise<HomeFacts>;
}

export async function loadFacts(
  deps: ListenerDeps,
  client: WebClient,
  actor: Actor,
  { person, role }: HomeViewer,
): Promise<LoadedFacts> {
  const { owner } = actor;
  const report = role === 'admin' ? scopeReport(deps, client) : Promise.resolve(undefined);
  const todayCounts = countToday(deps, owner, person.zone);
  const [status, relays, places, lentFacts, watches, lookups, audit, today, scopes] = await Promise.all([
    localStatus(deps, owner),
    deps.relays.list(owner),
    listedPlaces(deps, owner),
    lentThings(deps, { owner, userId: actor.userId, role }),
    deps.relays.watches.list(owner, viewerOf({ owner, userId: actor.userId })),
    recentLookups(deps, actor),
    role === 'admin' ? deps.store.audit.list(owner, { limit: mostAuditEntries }) : undefined,
    withTimeout(deps.clock, firstViewTimeoutMs, () => todayCounts, undefined),
    withTimeout(deps.clock, firstViewTimeoutMs, () => report, undefined),
  ]);
  const local = {
    role,
    reader: actor.userId,
    status,
    relays,
    places,
    ...(role === 'everyone' ? {} : await managersFacts(deps, actor, relays)),
    overdue: lentFacts.things.filter(({ isOverdue }) => isOverdue),
    lent: lentFacts.things.filter(({ isMine }) => isMine),
    counting: lentFacts.counting,
    watches,
    recent: lookups,
    today,
    ...(audit ? { audit } : {}),
    ...(scopes ? { scopes } : {}),
  };
  return {
    local,
    async live() {
      const [answered, counted, granted] = await Promise.all([askStatus(deps, owner, status), todayCounts, report]);
      return { ...local, status: answered, today: counted, ...(granted ? { scopes: granted } : {}) };
    },
  };
}

async function managersFacts(
  deps: ListenerDeps,
  actor: Actor,
  relays: readonly RelayState[],
): Promise<Pick<HomeFacts, 'alerts' | 'crossed' | 'reports'>> {
  const [alerts, lists, reports] = await Promise.all([
    openAlerts(deps, actor.owner, relays),
    deps.places.lists(actor.owner),
    listedReports({ deps, actor }),
  ]);
  const crossed = await Promise.all(
    lists.map(async (list) => (await deps.places.crossed(list)).map((threshold) => ({ list, threshold }))),
  );
  return { alerts, crossed: crossed.flat(), reports };
}

/** The open alerts in all channels of the relays, newest first. */
async function openAlerts(
  deps: ListenerDeps,
  owner: Owner,
  states: readonly RelayState[],
): Promise<readonly OpenAlert[]> {
  const channels = [...new Set(states.flatMap(({ relay }) => [relay.channel, ...channelsOf(relay)]))];
  const found = await Promise.all(
    channels.map(async (channel) =>
      (await deps.relays.openIncidents(owner, channel)).map(
        (incident) => [incident.postKey, { incident, channel }] as const,
      ),
    ),
  );
  return [...new Map(found.flat()).values()]
    .sort((one, other) => other.incident.openedAt - one.incident.openedAt)
    .flatMap(({ incident, channel }) => {
      const relay = states.find((state) => state.relay.id === incident.relayId)?.relay;
      return relay && !incident.resolved ? [{ incident, relay, channel }] : [];
    });
}

function askStatus(deps: ListenerDeps, owner: Owner, status: ConnectionStatus): Promise<ConnectionStatus> {
  return status.connection ? liveStatus(deps, owner, { counters: false }) : Promise.resolve(status);
}

/** Counts today's scans; undefined where that fails: the rest of App Home is worth showing. */
export async function countToday(
  deps: ListenerDeps,
  owner: Owner,
  ownZone: string | undefined,
): Promise<Today | undefined> {
  const validZone = ownZone !== undefined && DateTime.local({ zone: ownZone }).isValid ? ownZone : undefined;
  const zone = validZone ?? 'UTC';
  const start = DateTime.fromMillis(deps.clock.now(), { zone }).startOf('day').toMillis();
  try {
    return { ...(await deps.countScans(owner, start)), zone, isOwnZone: validZone !== undefined };
  } catch (error) {
    deps.log.warn({ err: error }, 'today’s scans could not be counted');
    return undefined;
  }
}
