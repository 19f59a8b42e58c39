/**
 * Owns pictures on their way from the account to Slack: uploaded as the app's own file, to be shown where somebody asked
 * and nowhere else.
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Picture } from '../../account/catalogue/operation.js';
import { ScandeskError } from '../../errors.js';
import { answerWithinMs } from '../clients.js';

const promised = z.object({ upload_url: z.url(), file_id: z.string() });

/** The id of the file, for a `slack_file`. @throws ScandeskError `form.picture_lost`; Slack's own errors. */
export async function picturedFile(client: WebClient, picture: Picture, name: string): Promise<string> {
  const { upload_url: url, file_id: file } = promised.parse(
    await client.files.getUploadURLExternal({
      filename: `${name}.${picture.format}`,
      length: picture.content.byteLength,
    }),
  );
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': picture.contentType },
    body: Buffer.from(picture.content),
    signal: AbortSignal.timeout(answerWithinMs),
  });
  await response.body?.cancel();
  if (!response.ok) {
    throw new ScandeskError('form.picture_lost', `Slack did not take a picture: HTTP ${response.status}`);
  }
  await client.files.completeUploadExternal({ files: [{ id: file, title: name }] });
  return file;
}
