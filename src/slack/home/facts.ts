/** What App Home shows of a workspace, for one person. */
import type { CountedHour, ScansKnown } from '../../lookup/index.js';
import type { CrossedThreshold, PlaceList } from '../../places/index.js';
import type { Incident, Relay } from '../../relay/index.js';
import type { RelayState, Watch } from '../../relay/relays/types.js';
import type { AuditEntry } from '../../workspaces/types.js';
import type { RequiredRole } from '../bolt/people/permissions.js';
import type { ScopeReport } from '../connection/scope-report.js';
import type { ConnectionStatus } from '../connection/status.js';
import type { LentThing } from '../lent/things.js';
import type { RecentLookup } from '../lookup/index.js';
import type { ListedPlaces } from '../places/listed.js';
import type { ListedReport } from '../reports/list-view.js';

export interface HomeFacts {
  readonly role: RequiredRole;
  /** The Slack user id of the person who reads it. */
  readonly reader: string;
  readonly status: ConnectionStatus;
  readonly recent: readonly RecentLookup[];
  /** Today's scans; undefined while they are counted, and where counting failed. */
  readonly today: Today | undefined;
  readonly relays: readonly RelayState[];
  readonly places?: readonly ListedPlaces[];
  /** Open alerts of relays, newest first; for people with access. */
  readonly alerts?: readonly OpenAlert[];
  /** Crossed thresholds of lists that are not over; for people with access. */
  readonly crossed?: readonly CrossedList[];
  /** Daily reports; for people with access. */
  readonly reports?: readonly ListedReport[];
  /** The overdue things that the person may see. */
  readonly overdue?: readonly LentThing[];
  /** The things lent to the person. */
  readonly lent?: readonly LentThing[];
  /** Whether what is lent is still being counted. */
  readonly counting?: boolean;
  /** The person's own watches. */
  readonly watches: readonly Watch[];
  /** The last changes, newest first; for admins. */
  readonly audit?: readonly AuditEntry[];
  /** The scopes that Slack granted; for admins. */
  readonly scopes?: ScopeReport;
}

export interface OpenAlert {
  readonly incident: Incident;
  readonly relay: Pick<Relay, 'serviceName'>;
  /** The channel in which the alert is posted. */
  readonly channel: string;
}

export interface CrossedList {
  readonly list: Pick<PlaceList, 'name' | 'settings'>;
  readonly threshold: CrossedThreshold;
}

/** Today's scans, by the day of a time zone. */
export interface Today extends ScansKnown {
  readonly hours: readonly CountedHour[];
  /** The IANA name of the zone. */
  readonly zone: string;
  /** Whether the zone is the person's own. */
  readonly isOwnZone: boolean;
}
