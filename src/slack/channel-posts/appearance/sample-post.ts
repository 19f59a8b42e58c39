/** The scan that the preview of an appearance shows: that of a used ticket, whose post has the most parts. Pure. */
import { relaySettingsSchema, type ScanPost } from '../../../relay/index.js';
import type { PostNames } from '../blocks/post-names.js';

const owner = { installation: '', team: '' };
const minute = 60_000;

export const sampleNames: PostNames = {
  scan: { service: 'Gate A', user: 'mara', device: 'Handheld 3' },
  earlier: { service: 'Gate A', user: 'mara', device: 'Handheld 3' },
  services: new Map(),
};

export function samplePost(now: number): ScanPost {
  const sourceIds = { sid: '1', userid: '1', udid: '1' };
  return {
    kind: 'scan',
    key: 'sample',
    generation: 0,
    owner,
    channel: '',
    rules: [],
    watchers: [],
    mention: { users: [], groups: [] },
    relay: {
      id: '',
      owner,
      serviceIds: [],
      serviceName: 'Gate A',
      channel: '',
      notable: 'all',
      createdBy: '',
      createdAt: now,
      settings: relaySettingsSchema.parse({}),
    },
    scan: {
      id: '',
      relayId: '',
      owner,
      receivedAt: now,
      tid: '0123',
      ...sourceIds,
      valid: false,
      finding: 'duplicate',
      text: '',
      answers: [{ questionId: '1', question: 'Wristband handed out?', answer: 'No' }],
      properties: [{ name: 'battery', value: '41 %' }],
      earlier: {
        scans: 2,
        atLeast: false,
        never: false,
        accepted: { ...sourceIds, at: now - 23 * minute, first: true },
      },
    },
  };
}
