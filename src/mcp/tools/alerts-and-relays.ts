/**
 * The tool with the open alerts and the relays, as the channels and App Home show them. An alert is told to those who can
 * read its channel.
 */
import { z } from 'zod';
import type { Incident } from '../../incidents/incident.js';
import type { RelayState } from '../../relay/relays/types.js';
import { scansNotValid } from '../../scans/result-words.js';
import { divider, type RichTextElement } from '../../slack/block-kit/elements.js';
import { bold, momentAfter, person, richText, textElement } from '../../slack/block-kit/text.js';
import { readsChannel } from '../../slack/bolt/channels.js';
import { channelsOf, relayName } from '../../slack/channel-posts/describe/describe-relay.js';
import { relayBlocks } from '../../slack/home/sections/relays.js';
import { toolButton } from '../blocks.js';
import { type ToolContext, tool } from '../tool.js';
import { certain, certainty, certaintyText, described, moment, momentShape } from '../wording.js';

const alertShape = z.object({
  kind: z.enum(['many_not_valid', 'no_scans']),
  relay: z.string(),
  since: momentShape,
  scans_not_valid: z.number().optional(),
  acknowledged_by: z.string().optional().describe('A Slack user id'),
  assigned_to: z.string().optional().describe('A Slack user id'),
  resolved_by: z.string().optional().describe('A Slack user id'),
  escalated_at: momentShape.optional(),
});
const relayShape = z.object({
  relay: z.string(),
  state: z.enum(['active', 'paused', 'blocked']),
  posts_pending: z.number(),
  posts_not_delivered: z.number(),
  scans: z.number(),
  last_scan_at: momentShape.optional(),
});
type AlertData = z.input<typeof alertShape>;
type RelayData = z.input<typeof relayShape>;

interface Alert {
  readonly incident: Incident;
  readonly relay: RelayState['relay'];
}

export const alertsAndRelays = tool({
  name: 'alerts_and_relays',
  title: 'Alerts and relays',
  description:
    'The open alerts (many scans not valid, or no scans) with who acknowledged them, and the state of each relay: whether it is active, paused or blocked, posts that wait or were not delivered, and its last scan.',
  input: z.object({}),
  output: z.object({ ...certainty, alerts: z.array(alertShape), relays: z.array(relayShape) }),
  async answer(context) {
    const { deps, actor } = context;
    const states = await deps.relays.list(actor.owner);
    const alerts = await openAlerts(context, states);
    const data = {
      ...certain(deps.clock.now(), []),
      alerts: alerts.map(alertData),
      relays: states.map(relayData),
    };
    return {
      data,
      text: [
        data.alerts.length === 0 ? 'No alert is open in the channels you can read.' : 'Open alerts:',
        ...data.alerts.map((each) => `- ${described(each)}`),
        data.relays.length === 0 ? 'There are no relays.' : 'Relays:',
        ...data.relays.map((each) => `- ${described(each)}`),
        certaintyText(data),
      ].join('\n'),
      blocks: [
        richText(
          alerts.length === 0 ? [textElement('No alert is open in the channels you can read.')] : [bold('Open alerts')],
          ...alerts.map(alertLine),
        ),
        divider,
        ...relayBlocks(states, false),
        ...toolButton('Refresh', 'alerts_and_relays', {}),
      ],
    };
  },
});

async function openAlerts(
  { deps, actor, client }: ToolContext,
  states: readonly RelayState[],
): Promise<readonly Alert[]> {
  const channels = [...new Set(states.flatMap(({ relay }) => [relay.channel, ...channelsOf(relay)]))];
  const found = new Map<string, Alert>();
  for (const channel of channels) {
    const open = await deps.relays.openIncidents(actor.owner, channel);
    if (open.length === 0 || !(await readsChannel(client, channel, actor.userId))) {
      continue;
    }
    for (const incident of open) {
      const state = states.find(({ relay }) => relay.id === incident.relayId);
      if (state) {
        found.set(incident.postKey, { incident, relay: state.relay });
      }
    }
  }
  return [...found.values()].sort((one, other) => other.incident.openedAt - one.incident.openedAt);
}

function alertData({ incident, relay }: Alert): AlertData {
  const { kind, beganAt, scans, acknowledged, assigned, resolved, escalatedAt } = incident;
  return {
    ...{ relay: relay.serviceName, since: moment(beganAt) },
    ...(kind === 'burst' ? { kind: 'many_not_valid', scans_not_valid: scans } : { kind: 'no_scans' }),
    ...(acknowledged ? { acknowledged_by: acknowledged.by } : {}),
    ...(assigned ? { assigned_to: assigned.to } : {}),
    ...(resolved ? { resolved_by: resolved.by } : {}),
    ...(escalatedAt === undefined ? {} : { escalated_at: moment(escalatedAt) }),
  };
}

function alertLine({ incident, relay }: Alert): RichTextElement[] {
  const { kind, beganAt, scans, acknowledged } = incident;
  return [
    textElement(kind === 'burst' ? `🚨 ${scansNotValid(scans)}` : '🔇 No scan'),
    momentAfter(' since ', beganAt),
    textElement(` · ${relayName(relay)}`),
    ...(acknowledged ? [textElement(' · acknowledged by '), person(acknowledged.by)] : []),
  ];
}

function relayData({ relay, pending, dead, scans, lastScanAt, blocked }: RelayState): RelayData {
  return {
    relay: relay.serviceName,
    state: relay.paused ? 'paused' : blocked.length > 0 ? 'blocked' : 'active',
    ...{ posts_pending: pending, posts_not_delivered: dead, scans },
    ...(lastScanAt === undefined ? {} : { last_scan_at: moment(lastScanAt) }),
  };
}
