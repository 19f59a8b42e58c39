/**
 * The tool with the open alerts and the relays, as the channels and App Home show them, and what is overdue, as
 * `/scandesk out` does. An alert is shown to people who can read its channel.
 */
import { z } from 'zod';
import type { Incident } from '../../incidents/incident.js';
import type { CrossedThreshold, PlaceList } from '../../places/index.js';
import type { RelayState } from '../../relay/relays/types.js';
import { scansNotValid } from '../../scans/result-words.js';
import { divider, type RichTextElement } from '../../slack/block-kit/elements.js';
import { bold, momentAfter, person, richText, textElement } from '../../slack/block-kit/text.js';
import { readsChannel } from '../../slack/bolt/channels.js';
import { channelsOf, relayName } from '../../slack/channel-posts/describe/describe-relay.js';
import { relayBlocks } from '../../slack/home/sections/relays.js';
import { outFacts } from '../../slack/lent/out-command.js';
import { outMessage } from '../../slack/lent/out-message.js';
import { crossedText } from '../../slack/places/alert-messages.js';
import { toolButton } from '../blocks.js';
import { type ToolContext, tool } from '../tool.js';
import { certain, certainty, moment, momentIfAny, momentShape } from '../wording.js';
import { lentData, lentDoubts, lentShape } from './lent-data.js';

const alertShape = z.object({
  kind: z.enum(['many_not_valid', 'no_scans', 'threshold']),
  relay: z.string().optional(),
  list: z.string().optional().describe('Of a threshold: the list of which so many are inside'),
  since: momentShape,
  scans_not_valid: z.number().optional(),
  percent: z.number().optional().describe('Of the capacity'),
  capacity: z.number().optional(),
  inside: z.number().optional().describe('How many were inside when the threshold was crossed'),
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
type RelayData = z.input<typeof relayShape>;

interface Alert {
  readonly key: string;
  readonly openedAt: number;
  readonly data: z.input<typeof alertShape>;
  readonly line: RichTextElement[];
}

const noAlert = 'No alert is open in the channels you can read.';

export const alertsAndRelays = tool({
  name: 'alerts_and_relays',
  title: 'Alerts and relays',
  description:
    'The open alerts (many scans not valid, no scans, or a list that is nearly full) with who acknowledged them; what is lent and overdue, as far as the person may see it; and the state of each relay: whether it is active, paused or blocked, posts that wait or were not delivered, and its last scan.',
  input: z.object({}),
  output: z.object({
    alerts: z.array(alertShape).describe('Newest first'),
    overdue: z.object({ ...certainty, total: z.number(), things: lentShape }).describe('What is lent and was due back'),
    relays: z.array(relayShape),
  }),
  async answer(context) {
    const { deps, actor } = context;
    const [states, facts] = await Promise.all([deps.relays.list(actor.owner), outFacts(context)]);
    const alerts = await openAlerts(context, states);
    const overdue = facts.things.filter(({ isOverdue }) => isOverdue);
    const data = {
      alerts: alerts.map((each) => each.data),
      overdue: {
        ...certain(deps.clock.now(), lentDoubts(overdue, facts.counting)),
        total: overdue.length,
        things: lentData(overdue),
      },
      relays: states.map(relayData),
    };
    return {
      data,
      blocks: [
        richText(alerts.length === 0 ? [noAlert] : [bold('Open alerts')], ...alerts.map(({ line }) => line)),
        ...(overdue.length === 0 ? [] : outMessage({ ...facts, things: overdue }, { text: '', page: 0 }).blocks),
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
  const lists = await deps.places.lists(actor.owner);
  const channels = new Set([
    ...states.flatMap(({ relay }) => [relay.channel, ...channelsOf(relay)]),
    ...lists.flatMap(({ settings }) => settings.alerts?.channel ?? []),
  ]);
  const alertsByKey = new Map<string, Alert>();
  for (const channel of channels) {
    const incidents = await deps.relays.openIncidents(actor.owner, channel);
    const ofLists = lists.filter(({ settings }) => settings.alerts?.channel === channel);
    const alerts = [
      ...incidents.flatMap((incident) => {
        const state = states.find(({ relay }) => relay.id === incident.relayId);
        return state ? [relayAlert(incident, state.relay)] : [];
      }),
      ...(
        await Promise.all(
          ofLists.map(async (list) => (await deps.places.crossed(list)).flatMap((crossed) => listAlert(crossed, list))),
        )
      ).flat(),
    ];
    if (alerts.length > 0 && (await readsChannel(client, channel, actor.userId))) {
      for (const alert of alerts) {
        alertsByKey.set(alert.key, alert);
      }
    }
  }
  return [...alertsByKey.values()].sort((one, other) => other.openedAt - one.openedAt);
}

function relayAlert(incident: Incident, relay: RelayState['relay']): Alert {
  const { postKey: key, openedAt, kind, beganAt, scans, acknowledged, assigned, resolved, escalatedAt } = incident;
  return {
    key,
    openedAt,
    data: {
      relay: relay.serviceName,
      since: moment(beganAt),
      ...(kind === 'burst' ? { kind: 'many_not_valid', scans_not_valid: scans } : { kind: 'no_scans' }),
      acknowledged_by: acknowledged?.by,
      assigned_to: assigned?.to,
      resolved_by: resolved?.by,
      escalated_at: momentIfAny(escalatedAt),
    },
    line: [
      textElement(kind === 'burst' ? `🚨 ${scansNotValid(scans)}` : '🔇 No scan'),
      momentAfter(' since ', beganAt),
      textElement(` · ${relayName(relay)}`),
      ...acknowledgedBy(acknowledged),
    ],
  };
}

/** The alert of a list; none where the list has no capacity any more: its thresholds are about to end. */
function listAlert(threshold: CrossedThreshold, { name, settings: { capacity } }: PlaceList): Alert[] {
  const { postKey: key, openedAt, percent, inside, acknowledged } = threshold;
  return capacity === undefined
    ? []
    : [
        {
          key,
          openedAt,
          data: {
            kind: 'threshold',
            list: name,
            since: moment(openedAt),
            percent,
            capacity,
            inside,
            acknowledged_by: acknowledged?.by,
          },
          line: [
            textElement(crossedText({ name, percent, capacity })),
            momentAfter(' since ', openedAt),
            ...acknowledgedBy(acknowledged),
          ],
        },
      ];
}

function acknowledgedBy(acknowledged: { readonly by: string } | undefined): RichTextElement[] {
  return acknowledged ? [textElement(' · acknowledged by '), person(acknowledged.by)] : [];
}

function relayData({ relay, pending, dead, scans, lastScanAt, blocked }: RelayState): RelayData {
  return {
    relay: relay.serviceName,
    state: relay.paused ? 'paused' : blocked.length > 0 ? 'blocked' : 'active',
    posts_pending: pending,
    posts_not_delivered: dead,
    scans,
    last_scan_at: momentIfAny(lastScanAt),
  };
}
