import {
  type BurstPost,
  type CardPost,
  type DigestPost,
  type ReceivedScan,
  type Relay,
  relaySettingsSchema,
  type ScanPost,
  type SilencePost,
} from '../../../src/relay/index.js';

/** The moment of the sample scan, from which the samples' other times are reckoned. */
export const sampleAt = Date.UTC(2026, 10, 21, 14, 5, 9);

export const sampleRelay: Relay = {
  id: 'r1',
  owner: { installation: 'T1', team: 'T1' },
  serviceIds: ['101'],
  serviceName: 'Gate A',
  channel: 'C0FRONTGATE',
  notable: 'all',
  createdBy: 'U0ADA',
  createdAt: 0,
  settings: relaySettingsSchema.parse({}),
};

export const sampleScan: ReceivedScan = {
  id: 's1',
  relayId: sampleRelay.id,
  owner: sampleRelay.owner,
  receivedAt: sampleAt,
  tid: '0123',
  sid: '101',
  userid: '7',
  udid: 'phone-1',
  valid: false,
  finding: 'duplicate',
  text: 'Already used',
  answers: [{ questionId: '12', question: 'Wristband handed out?', answer: 'No' }],
  properties: [{ name: 'battery', value: '41 %' }],
  earlier: {
    scans: 2,
    atLeast: false,
    never: false,
    accepted: { at: sampleAt - 180_000, sid: '101', userid: '7', udid: 'phone-1', first: true },
  },
};

const any = {
  generation: 0,
  owner: sampleRelay.owner,
  relay: sampleRelay,
  channel: sampleRelay.channel,
  rules: [{ id: 'rule', name: 'Front door' }],
  mention: { users: ['U0MIA'], groups: [] },
  watchers: ['U0MIA'],
};
const tally = {
  scans: 13,
  findings: [
    { finding: 'valid' as const, count: 9 },
    { finding: 'invalid' as const, count: 4 },
  ],
  services: [{ serviceId: '101', count: 13 }],
};

/** A scan, burst, silence, digest and card, each with all that its kind can show. The scan's post has the longest key. */
export const fullPosts = {
  scan: { ...any, key: `${'k'.repeat(40)}.f`, kind: 'scan', scan: sampleScan } satisfies ScanPost,
  burst: { ...any, key: 'k2', kind: 'burst', scan: sampleScan, burst: { n: 5, minutes: 10 } } satisfies BurstPost,
  silence: {
    ...{ ...any, key: 'k3', kind: 'silence' as const },
    silence: { of: 'device', id: 'phone-1', minutes: 15, since: sampleAt - 900_000 },
  } satisfies SilencePost,
  digest: {
    ...{ ...any, key: 'k4', kind: 'digest' as const, why: 'collected' as const, from: sampleAt - 600_000 },
    ...{
      tally,
      alarms: [{ kind: 'burst', n: 5, minutes: 10 }],
      first: [sampleScan],
      watched: [{ who: 'U0MIA', by: '7' }],
    },
  } satisfies DigestPost,
  card: { ...any, key: 'k5', kind: 'card', day: '2026-11-21', tally, alarms: [] } satisfies CardPost,
};
