/** Who hears of an alert: those who can read its channel. */
import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToolContext } from '../../src/mcp/tool.js';
import { alertsAndRelays } from '../../src/mcp/tools/alerts-and-relays.js';
import { botToken, startTestApp, type TestApp } from '../slack/test-app.js';

const began = Date.UTC(2026, 2, 1, 12);

function relayIn(channel: string) {
  const settings = { rules: [], judging: { kind: 'accept' } };
  const relay = { id: `relay-${channel}`, serviceName: `Gate of ${channel}`, channel, notable: 'all', settings };
  return { relay, pending: 1, dead: 2, scans: 3, blocked: [], refused: [], secrets: [] };
}

describe('the open alerts', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await startTestApp();
    await testApp.person('U0ADA').say('/invite @scandesk', 'C0MANAGERS');
  });
  afterAll(() => testApp.stop());

  const channels = ['C0FRONTGATE', 'C0MANAGERS', 'C0NOWHERE'];

  async function told(userId: string) {
    const context = {
      deps: {
        clock: { now: () => began + 60_000 },
        places: { lists: async () => [] },
        permissions: { highestRole: async () => 'everyone' },
        relays: {
          list: async () => channels.map(relayIn),
          openIncidents: async (_: unknown, channel: string) => [
            ...[{ postKey: `key-${channel}`, relayId: `relay-${channel}`, kind: 'burst', scans: 7 }].map((each) => ({
              ...{ ...each, beganAt: began, openedAt: began },
              acknowledged: { by: 'U0MIA', at: began },
            })),
          ],
        },
      },
      actor: { owner: { installation: 'T0SANDBOX1', team: 'T0SANDBOX1' }, userId },
      client: new WebClient(botToken, { slackApiUrl: `${testApp.slackUrl}/api/` }),
    } as unknown as ToolContext;
    const { data } = await alertsAndRelays.answer(context, {});
    return data as { alerts: { relay: string }[]; relays: object[] };
  }

  it('the alerts tool shows alerts of a private channel to its members alone, and of a hidden channel to nobody', async () => {
    expect((await told('U0ADA')).alerts.map(({ relay }) => relay)).toEqual([
      'Gate of C0FRONTGATE',
      'Gate of C0MANAGERS',
    ]);
    expect((await told('U0MIA')).alerts.map(({ relay }) => relay)).toEqual(['Gate of C0FRONTGATE']);
  });

  it('the alerts tool names kind, figures and acknowledgement of alerts, and the state of each relay', async () => {
    const { alerts, relays } = await told('U0MIA');
    expect(alerts).toEqual([
      {
        ...{ kind: 'many_not_valid', relay: 'Gate of C0FRONTGATE', since: '2026-03-01T12:00:00.000Z' },
        ...{ scans_not_valid: 7, acknowledged_by: 'U0MIA' },
      },
    ]);
    expect(relays[0]).toEqual({
      ...{ relay: 'Gate of C0FRONTGATE', state: 'active', posts_pending: 1, posts_not_delivered: 2, scans: 3 },
    });
  });
});
