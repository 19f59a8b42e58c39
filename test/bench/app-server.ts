/** The whole app with its own store; Slack's address is a stub's. Its deed `photos` reads 20 photos at a time. */
import { readFileSync } from 'node:fs';
import { createApp } from '../../src/app.js';
import { systemClock } from '../../src/clock.js';
import { readConfig } from '../../src/config.js';
import { createPictureReader } from '../../src/images/index.js';
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
const pictures = createPictureReader({ clock: systemClock, log: silentLog });
const app = await createApp(config, { log: silentLog, pictures });
const { port } = await app.start();

/** Reads the photo again and again, until the process ends or the reader refuses one. */
async function readPhotos(): Promise<void> {
  const photo = readFileSync(process.env.BENCH_PHOTO!);
  for (;;) {
    const results = await Promise.all(Array.from({ length: 20 }, () => pictures.read(photo)));
    if (results.some((result) => result.kind === 'refused')) {
      return;
    }
  }
}

serveMeasured({ port: String(port) }, () => app.stop(), { photos: () => void readPhotos() });
