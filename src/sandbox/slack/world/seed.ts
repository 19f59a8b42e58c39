/** The seeds of a new workspace: two teams, so that a test can show that neither receives the other's data. */
import {
  type ChannelRecord,
  channelRecord,
  type GroupRecord,
  type PersonRecord,
  type TeamRecord,
  type WorkflowRecord,
} from './records.js';

export interface TeamSeed {
  readonly team: TeamRecord;
  readonly people: readonly PersonRecord[];
  readonly channels: readonly (ChannelRecord & { readonly members: readonly string[] })[];
}

const person = (
  team: string,
  id: string,
  name: string,
  realName: string,
  otherFields: Partial<PersonRecord> = {},
): PersonRecord => ({
  id,
  team,
  name,
  real_name: realName,
  is_admin: false,
  is_owner: false,
  is_bot: false,
  is_restricted: false,
  is_ultra_restricted: false,
  home_team: team,
  tz: 'Europe/Berlin',
  color: '#4a6fa5',
  ...otherFields,
});

const channel = (
  team: string,
  id: string,
  name: string,
  creator: string,
  members: readonly string[],
  otherFields: Partial<ChannelRecord> = {},
): ChannelRecord & { members: readonly string[] } => ({
  ...channelRecord({ id, team, name, creator, created: 1_700_000_000, ...otherFields }),
  members,
});

const first = 'T0SANDBOX1';
const partner = 'T0PARTNER1';
const second = 'T0SANDBOX2';

/** The demo's workspace. */
export const harbourHall: TeamSeed = {
  team: { id: first, name: 'Harbour Hall', domain: 'harbour-hall', bot_user: 'U0SCANDESK1', bot_id: 'B0SCANDESK1' },
  people: [
    person(first, 'U0ADA', 'ada', 'Ada Admin', { is_admin: true, is_owner: true, color: '#a5424a' }),
    person(first, 'U0MIA', 'mia', 'Mia Member', { tz: 'America/Chicago', color: '#2f7d5b' }),
    person(first, 'U0GUS', 'gus', 'Gus Guest', {
      is_restricted: true,
      is_ultra_restricted: true,
      tz: 'Europe/Lisbon',
      color: '#8a6d3b',
    }),
    person(first, 'U0EVE', 'eve', 'Eve External', { home_team: partner, tz: 'Asia/Tokyo', color: '#6b4fa0' }),
  ],
  channels: [
    channel(first, 'C0GENERAL', 'general', 'U0ADA', ['U0ADA', 'U0MIA'], { is_general: true }),
    channel(first, 'C0FRONTGATE', 'front-gate', 'U0ADA', ['U0ADA', 'U0MIA', 'U0GUS']),
    channel(first, 'C0STOCKROOM', 'stock-room', 'U0MIA', ['U0ADA', 'U0MIA']),
    channel(first, 'C0MANAGERS', 'managers', 'U0ADA', ['U0ADA'], { is_private: true }),
    channel(first, 'C0PARTNER', 'partner-venue', 'U0ADA', ['U0ADA', 'U0MIA', 'U0EVE'], { is_ext_shared: true }),
  ],
};

/** A second workspace with its own people and channels. */
export const northDepot: TeamSeed = {
  team: { id: second, name: 'North Depot', domain: 'north-depot', bot_user: 'U0SCANDESK2', bot_id: 'B0SCANDESK2' },
  people: [
    person(second, 'U0BO', 'bo', 'Bo Boss', { is_admin: true, is_owner: true, color: '#a5424a' }),
    person(second, 'U0CY', 'cy', 'Cy Clerk', { tz: 'Europe/London', color: '#2f7d5b' }),
  ],
  channels: [
    channel(second, 'C0DEPOT', 'depot', 'U0BO', ['U0BO', 'U0CY'], { is_general: true }),
    channel(second, 'C0LOADING', 'loading-bay', 'U0BO', ['U0BO', 'U0CY']),
  ],
};

/** User groups are constant: nothing in the sandbox changes one. */
export const groups: readonly GroupRecord[] = [
  { id: 'S0GATE', team: first, handle: 'gate-crew', name: 'Gate crew', users: ['U0MIA', 'U0GUS'] },
  { id: 'S0STOCK', team: first, handle: 'stock', name: 'Stock keepers', users: ['U0MIA'] },
];

/** Workflows are constant, too. */
const followUp = {
  name: 'Scan follow-up',
  variables: ['barcode', 'result', 'service', 'gate', 'person', 'moment', 'answers', 'scan_key'],
};
export const workflows: readonly WorkflowRecord[] = [
  { ...followUp, team: first, channel: 'C0STOCKROOM' },
  { ...followUp, team: second, channel: 'C0LOADING' },
];
