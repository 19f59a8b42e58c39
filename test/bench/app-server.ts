/** The whole app with its own store, as in production; only Slack's address differs. */
import { createApp } from '../../src/app.js';
import { readConfig } from '../../src/config.js';
import { silentLog } from '../../src/log.js';
import { serveMeasured } from './process.js';

const config = readConfig({
  PUBLIC_URL: 'http://127.0.0.1:1',
  HOST: '127.0.0.1',
  PORT: '0',
  SCANDESK_SECRET: Buffer.alloc(32, 1).toString('base64'),
  SLACK_SIGNING_SECRET: process.env.BENCH_SIGNING_SECRET,
  SLACK_BOT_TOKEN: 'xoxb-bench',
  SLACK_API_URL: `${process.env.BENCH_SLACK}/api/`,
  DATABASE_URL: process.env.BENCH_DATABASE,
});
const app = await createApp(config, { log: silentLog });
const { port } = await app.start();
serveMeasured({ port: String(port) }, () => app.stop());
