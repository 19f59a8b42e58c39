/** The upload of barcode images to Slack as the app's own files: people see them only where they are posted. */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Clock } from '../../../clock.js';
import type { Picture } from '../../../codereadr/operations/operation.js';
import { ScandeskError } from '../../../errors.js';
import { slackTimeoutMs } from '../../bolt/clients.js';

const uploadTarget = z.object({ upload_url: z.url(), file_id: z.string() });

/** The uploaded files by picture: modal and message share one file. */
const uploaded = new WeakMap<Picture, Promise<string>>();

/** The file id, for a `slack_file`. @throws ScandeskError `form.picture_lost`; Slack's own errors */
export function picturedFile(client: WebClient, picture: Picture, name: string, clock: Clock): Promise<string> {
  const file =
    uploaded.get(picture) ??
    upload(client, picture, name).then(async (id) => {
      await waitUntilProcessed(client, clock, id);
      return id;
    });
  uploaded.set(picture, file);
  file.catch(() => uploaded.delete(picture));
  return file;
}

const mostChecks = 8;
const betweenChecksMs = 250;

const info = z.object({ file: z.object({ mimetype: z.string().optional() }) });

/** Waits 2 s at most, as Slack refuses an image block until it has processed the file; a failed files.info ends it. */
async function waitUntilProcessed(client: WebClient, clock: Clock, file: string): Promise<void> {
  for (let check = 0; check < mostChecks; check += 1) {
    const found = info.safeParse(await client.files.info({ file }).catch(() => undefined));
    if (!found.success || found.data.file.mimetype) {
      return;
    }
    await clock.sleep(betweenChecksMs);
  }
}

async function upload(client: WebClient, picture: Picture, fileName: string): Promise<string> {
  const { upload_url: url, file_id: file } = uploadTarget.parse(
    await client.files.getUploadURLExternal({
      filename: `${fileName}.${picture.format}`,
      length: picture.content.byteLength,
    }),
  );
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': picture.contentType },
    body: Buffer.from(picture.content),
    signal: AbortSignal.timeout(slackTimeoutMs),
  });
  await response.body?.cancel();
  if (!response.ok) {
    throw new ScandeskError('form.picture_lost', `picture upload to Slack failed: HTTP ${response.status}`);
  }
  await client.files.completeUploadExternal({ files: [{ id: file, title: fileName }] });
  return file;
}
