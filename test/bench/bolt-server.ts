/**
 * A bare Bolt app as in its documentation, as a baseline. With BENCH_LISTENERS=same it has a listener for everything
 * that Scandesk listens to; otherwise only the measured one, which acknowledges and then responds as Scandesk does.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import type { Router } from '../../src/slack/bolt/routing/router.js';
import { registerFeatures } from '../../src/slack/features.js';
import { serveMeasured } from './process.js';

const receiver = new HTTPReceiver({
  signingSecret: process.env.BENCH_SIGNING_SECRET ?? '',
  endpoints: '/slack/events',
  logLevel: LogLevel.ERROR,
});
const app = new App({
  receiver,
  token: 'xoxb-bench',
  tokenVerificationEnabled: false,
  clientOptions: { slackApiUrl: `${process.env.BENCH_SLACK}/api/` },
  logLevel: LogLevel.ERROR,
  convoStore: false,
});
app.command('/barcode', async ({ ack, respond }) => {
  await ack();
  await respond({ response_type: 'ephemeral', text: 'Type /barcode and a value.' });
});
if (process.env.BENCH_LISTENERS === 'same') {
  const acknowledge = ({ ack }: { ack: () => Promise<void> }) => ack();
  const registry: Pick<Router, 'command' | 'action' | 'view' | 'shortcut' | 'options' | 'event'> = {
    command: (name) => name !== '/barcode' && app.command(name, acknowledge),
    action: (actionId) => app.action({ type: 'block_actions', action_id: actionId }, acknowledge),
    view: (callbackId) => app.view(callbackId, acknowledge),
    shortcut: (callbackId) => app.shortcut(callbackId, acknowledge),
    options: (actionId) => app.options(actionId, acknowledge),
    event: (type) => app.event(type, async () => undefined),
  };
  registerFeatures(registry as Router);
}
const server = createServer(receiver.requestListener);
server.listen(0, '127.0.0.1', () => {
  serveMeasured({ port: String((server.address() as AddressInfo).port) }, async () => {
    server.closeAllConnections();
  });
});
