/**
 * A bare Bolt app as in its documentation, as a baseline. With BENCH_LISTENERS=same it has a listener for everything
 * that Scandesk listens to; otherwise only the measured one, which acknowledges and then responds as Scandesk does.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import { listeners } from '../../src/slack/features.js';
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
  for (const { kind, ids } of listeners) {
    for (const id of ids.filter((each) => each !== '/barcode')) {
      switch (kind) {
        case 'command':
          app.command(id, acknowledge);
          break;
        case 'action':
          app.action({ type: 'block_actions', action_id: id }, acknowledge);
          break;
        case 'view':
          app.view(id, acknowledge);
          break;
        case 'options':
          app.options(id, acknowledge);
          break;
        case 'event':
          app.event(id, async () => undefined);
      }
    }
  }
}
const server = createServer(receiver.requestListener);
server.listen(0, '127.0.0.1', () => {
  serveMeasured({ port: String((server.address() as AddressInfo).port) }, async () => {
    server.closeAllConnections();
  });
});
