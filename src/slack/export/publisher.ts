/**
 * Exports in Slack: their message, and their file, by Slack's three steps. A file can be shared once: whatever answer is
 * lost, the same file is shared again. Who may have the file, and who reads the channel, is asked before each sharing.
 */
import { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { request } from 'undici';
import { z } from 'zod';
import type { ExportMessage, ExportPublisher, ExportRecord, ExportRefusal } from '../../exports/index.js';
import type { Log } from '../../log.js';
import type { Owner } from '../../ownership.js';
import { isSharedChannel } from '../bolt/channels.js';
import { slackErrorCode } from '../bolt/errors.js';
import type { Permissions } from '../bolt/people/permissions.js';
import { createPostMessage } from '../channel-posts/client-msg-id.js';
import { type PostFailure, postFailure } from '../channel-posts/post-failure.js';
import { endedMessage, fileBlocks, fileComment, isChannel, movedMessage, progressMessage } from './export-message.js';

const promised = z.object({ upload_url: z.url(), file_id: z.string() });
/** Without a sign of life. */
const uploadTimeoutMs = 60_000;

const ids = z.array(z.string()).optional();
const shares = z.record(z.string(), z.unknown()).optional();
const info = z.object({
  file: z.object({
    ...{ channels: ids, groups: ids, ims: ids },
    shares: z.object({ public: shares, private: shares }).optional(),
  }),
});

export function createExportPublisher(deps: {
  clientFor(owner: Owner): Promise<WebClient>;
  readonly permissions: Pick<Permissions, 'ineligible'>;
  readonly log: Log;
}): ExportPublisher {
  const { clientFor, permissions, log } = deps;
  const postMessage = createPostMessage(log);

  /** Where nothing was posted yet: whoever asked, once people of another organization read the channel. */
  const channelOf = async (client: WebClient, { channel, who }: ExportRecord): Promise<string> =>
    isChannel(channel) && (await isSharedChannel(client, channel)) ? who : channel;

  const post = async (client: WebClient, record: ExportRecord) => {
    const sending = { key: record.id, generation: 0 };
    const content = { channel: await channelOf(client, record), ...progressMessage(record) };
    const { channel, ts } = await postMessage(client, sending, content, new AbortController().signal);
    return channel === undefined || ts === undefined ? undefined : { channel, ts };
  };

  /** A direct message has an id of its own, which its first message tells. @returns that message, where it posts one */
  const findDirect = async (client: WebClient, record: ExportRecord): Promise<ExportMessage | undefined> => {
    const ready = endedMessage({ ...record, outcome: 'done' });
    const { channel, ts } = await client.chat.postMessage({ channel: record.who, ...ready });
    return channel === undefined || ts === undefined ? undefined : { channel, ts };
  };

  /** The conversation to share in, and the message that was posted to find it. */
  const placeOf = async (client: WebClient, record: ExportRecord) => {
    const { channel } = record.message ?? record;
    const closed = isChannel(channel) && (await isSharedChannel(client, channel));
    if (!closed && (record.message || isChannel(channel))) {
      return { channel };
    }
    const posted = await findDirect(client, record);
    if (posted && closed && record.message) {
      await client.chat.update({ ...record.message, ...movedMessage(record) }).catch((error: unknown) => {
        log.warn({ export: record.id, code: postFailure(error).code }, 'a channel was not told where its export went');
      });
    }
    return { channel: posted?.channel ?? record.who, posted };
  };

  /** Wherever it is: an earlier try may have found the channel as it was then. */
  const isShared = async (client: WebClient, { fileId = '' }: ExportRecord): Promise<boolean> => {
    const found = info.safeParse(await client.files.info({ file: fileId }).catch(notSaid)).data?.file;
    const listed = [...(found?.channels ?? []), ...(found?.groups ?? []), ...(found?.ims ?? [])];
    return [...listed, ...Object.keys({ ...found?.shares?.public, ...found?.shares?.private })].length > 0;
  };

  const complete = async (client: WebClient, record: ExportRecord, channel: string): Promise<void> => {
    const files: [{ id: string; title: string }] = [{ id: record.fileId ?? '', title: fileNameOf(record) }];
    try {
      await client.files.completeUploadExternal({ files, channel_id: channel, blocks: fileBlocks(record, channel) });
    } catch (error) {
      if (!['invalid_blocks', 'invalid_arguments'].includes(slackErrorCode(error) ?? '')) {
        throw error;
      }
      log.warn({ export: record.id, code: slackErrorCode(error) }, 'Slack takes no blocks beside a file');
      await client.files.completeUploadExternal({ files, channel_id: channel, initial_comment: fileComment(record) });
    }
  };

  const shareIn = async (client: WebClient, record: ExportRecord, channel: string) => {
    try {
      await complete(client, record, channel);
      return { outcome: 'shared' } as const;
    } catch (error) {
      const failure = postFailure(error);
      const isRefused = failure.kind !== 'unsent' && failure.kind !== 'unknown';
      if (isRefused && (await isShared(client, record))) {
        return { outcome: 'shared' } as const;
      }
      return failure.code === 'slack.file_not_found' ? ({ outcome: 'lost' } as const) : refusalOf(failure);
    }
  };

  return {
    async show(record) {
      try {
        const client = await clientFor(record.owner);
        if (!record.message) {
          return await post(client, record);
        }
        await client.chat.update({ ...record.message, ...progressMessage(record) });
        return record.message;
      } catch (error) {
        const failure = postFailure(error);
        // Once it is there, the file matters more; a message that was posted before is not posted again.
        return record.message || failure.kind === 'duplicate' ? record.message : refusalOf(failure);
      }
    },

    async upload(record, content, signal) {
      try {
        const client = await clientFor(record.owner);
        const answer = await client.files.getUploadURLExternal({
          filename: fileNameOf(record),
          length: record.bytes,
        });
        const { upload_url: url, file_id: fileId } = promised.parse(answer);
        const { statusCode, body } = await request(url, {
          method: 'POST',
          headers: { 'content-type': 'text/csv', 'content-length': String(record.bytes) },
          body: Readable.from(content),
          signal,
          ...{ headersTimeout: uploadTimeoutMs, bodyTimeout: uploadTimeoutMs },
        });
        await body.dump();
        return statusCode === 200
          ? { outcome: 'uploaded', fileId }
          : { outcome: 'retry', code: `slack.upload_http_${statusCode}` };
      } catch (error) {
        signal.throwIfAborted();
        log.warn({ export: record.id, err: error }, 'the file of an export could not be uploaded');
        return refusalOf(postFailure(error));
      }
    },

    async share(record) {
      let posted: ExportMessage | undefined;
      try {
        const client = await clientFor(record.owner);
        // By a try whose answer was lost.
        if (record.sharedAt !== undefined && (await isShared(client, record))) {
          return { outcome: 'shared' };
        }
        if ((await permissions.ineligible(client, record.owner, [record.who])).length > 0) {
          return { outcome: 'refused', code: 'export.no_access' };
        }
        const place = await placeOf(client, record);
        posted = place.posted;
        return { ...(await shareIn(client, record, place.channel)), ...(posted ? { message: posted } : {}) };
      } catch (error) {
        return { ...refusalOf(postFailure(error)), ...(posted ? { message: posted } : {}) };
      }
    },

    async tell(record) {
      const { message, outcome, who } = record;
      try {
        const client = await clientFor(record.owner);
        const failure = message && (await inPlace(client, record).then(() => undefined, postFailure));
        if (failure?.kind === 'unsent' || failure?.kind === 'unknown') {
          return refusalOf(failure);
        }
        if ((!message || failure) && outcome !== 'done') {
          await client.chat.postMessage({
            channel: message ? who : await channelOf(client, record),
            ...endedMessage(record),
          });
        }
      } catch (error) {
        const failure = postFailure(error);
        if (failure.kind === 'unsent') {
          return refusalOf(failure);
        }
        log.warn({ export: record.id, code: failure.code }, 'nobody could be told what became of an export');
      }
      return { outcome: 'told' };
    },
  };

  /** The file has a message of its own. */
  async function inPlace(client: WebClient, record: ExportRecord): Promise<void> {
    const { message, outcome } = record;
    if (outcome === 'done') {
      await client.chat.delete(message!);
    } else {
      await client.chat.update({ ...message!, ...endedMessage(record) });
    }
  }
}

/** Where Slack does not say, as without `files:read`. @throws what may be otherwise in a while: a guess could double it */
function notSaid(error: unknown): undefined {
  const { kind } = postFailure(error);
  if (kind === 'unsent' || kind === 'unknown') {
    throw error;
  }
  return undefined;
}

function refusalOf(failure: PostFailure): ExportRefusal {
  const { kind, code } = failure;
  if (kind === 'unsent' || kind === 'unknown') {
    const afterMs = kind === 'unsent' ? failure.afterMs : undefined;
    return { outcome: 'retry', code, ...(afterMs === undefined ? {} : { afterMs }) };
  }
  return { outcome: 'refused', code };
}

/** `scans-20260301-0930.csv`, in UTC. */
export function fileNameOf({ what, createdAt }: Pick<ExportRecord, 'what' | 'createdAt'>): string {
  const time = new Date(createdAt).toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${what.kind}-${time}.csv`;
}
