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
  userName: string,
  realName: string,
  otherFields: Partial<PersonRecord> = {},
): PersonRecord => ({
  id,
  team,
  name: userName,
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

const firstTeam = 'T0SANDBOX1';
const partnerTeam = 'T0PARTNER1';
const secondTeam = 'T0SANDBOX2';

/** The demo's workspace. */
export const harbourHall: TeamSeed = {
  team: { id: firstTeam, name: 'Harbour Hall', domain: 'harbour-hall', bot_user: 'U0SCANDESK1', bot_id: 'B0SCANDESK1' },
  people: [
    person(firstTeam, 'U0ADA', 'ada', 'Ada Admin', { is_admin: true, is_owner: true, color: '#a5424a' }),
    person(firstTeam, 'U0MIA', 'mia', 'Mia Member', { tz: 'America/Chicago', color: '#2f7d5b' }),
    person(firstTeam, 'U0GUS', 'gus', 'Gus Guest', {
      is_restricted: true,
      is_ultra_restricted: true,
      tz: 'Europe/Lisbon',
      color: '#8a6d3b',
    }),
    person(firstTeam, 'U0EVE', 'eve', 'Eve External', { home_team: partnerTeam, tz: 'Asia/Tokyo', color: '#6b4fa0' }),
  ],
  channels: [
    channel(firstTeam, 'C0GENERAL', 'general', 'U0ADA', ['U0ADA', 'U0MIA'], { is_general: true }),
    channel(firstTeam, 'C0FRONTGATE', 'front-gate', 'U0ADA', ['U0ADA', 'U0MIA', 'U0GUS']),
    channel(firstTeam, 'C0STOCKROOM', 'stock-room', 'U0MIA', ['U0ADA', 'U0MIA']),
    channel(firstTeam, 'C0MANAGERS', 'managers', 'U0ADA', ['U0ADA'], { is_private: true }),
    channel(firstTeam, 'C0PARTNER', 'partner-venue', 'U0ADA', ['U0ADA', 'U0MIA', 'U0EVE'], { is_ext_shared: true }),
  ],
};

/** A second workspace with its own people and channels. */
export const northDepot: TeamSeed = {
  team: { id: secondTeam, name: 'North Depot', domain: 'north-depot', bot_user: 'U0SCANDESK2', bot_id: 'B0SCANDESK2' },
  people: [
    person(secondTeam, 'U0BO', 'bo', 'Bo Boss', { is_admin: true, is_owner: true, color: '#a5424a' }),
    person(secondTeam, 'U0CY', 'cy', 'Cy Clerk', { tz: 'Europe/London', color: '#2f7d5b' }),
  ],
  channels: [
    channel(secondTeam, 'C0DEPOT', 'depot', 'U0BO', ['U0BO', 'U0CY'], { is_general: true }),
    channel(secondTeam, 'C0LOADING', 'loading-bay', 'U0BO', ['U0BO', 'U0CY']),
  ],
};

/** The user groups, which are constant: nothing in the sandbox changes one. */
export const groups: readonly GroupRecord[] = [
  { id: 'S0GATE', team: firstTeam, handle: 'gate-crew', name: 'Gate crew', users: ['U0MIA', 'U0GUS'] },
  { id: 'S0STOCK', team: firstTeam, handle: 'stock', name: 'Stock keepers', users: ['U0MIA'] },
];

/** The workflow of each team; nothing in the sandbox changes it. */
const followUp = {
  name: 'Scan follow-up',
  variables: ['barcode', 'result', 'service', 'gate', 'person', 'moment', 'answers', 'scan_key'],
};
export const workflows: readonly WorkflowRecord[] = [
  { ...followUp, team: firstTeam, channel: 'C0STOCKROOM' },
  { ...followUp, team: secondTeam, channel: 'C0LOADING' },
];
