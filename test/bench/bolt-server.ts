/**
 * A bare Bolt app, as its documentation shows one, with a listener that does what ours does: acknowledge, then respond.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
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
const server = createServer(receiver.requestListener);
server.listen(0, '127.0.0.1', () => {
  serveMeasured({ port: String((server.address() as AddressInfo).port) }, async () => {
    server.closeAllConnections();
  });
});
