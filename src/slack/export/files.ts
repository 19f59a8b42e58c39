/**
 * The files of exports in Slack, by Slack's three steps of an upload. If the answer to a sharing is lost, the same file
 * is looked for and shared again. Who may have it, and who reads the channel, is checked before each sharing.
 */
import { Readable } from 'node:stream';
import type { WebClient } from '@slack/web-api';
import { request } from 'undici';
import { z } from 'zod';
import { type ExportFiles, type ExportRecord, type ExportRefusal, formatOf } from '../../exports/index.js';
import type { Log } from '../../log.js';
import type { Owner } from '../../ownership.js';
import type { Places } from '../../places/index.js';
import type { Publisher } from '../../posts/index.js';
import { isChannel, isSharedChannel } from '../bolt/channels.js';
import { SlackError, slackErrorCode } from '../bolt/errors.js';
import type { Permissions, RequiredRole } from '../bolt/people/permissions.js';
import { missingScopeCode } from '../bolt/scopes.js';
import { type PostFailure, postFailure } from '../channel-posts/post-failure.js';
import { maySeeInside } from '../places/roll-call.js';
import { fileBlocks, fileComment } from './export-message.js';

const promised = z.object({ upload_url: z.url(), file_id: z.string() });
/** How long an upload may go on without progress. */
const uploadTimeoutMs = 60_000;

const ids = z.array(z.string()).optional();
const shares = z.record(z.string(), z.unknown()).optional();
const info = z.object({
  file: z.object({
    channels: ids,
    groups: ids,
    ims: ids,
    shares: z.object({ public: shares, private: shares }).optional(),
  }),
});

export function createExportFiles(deps: {
  clientFor(owner: Owner): Promise<WebClient>;
  readonly open: Publisher['open'];
  readonly permissions: Pick<Permissions, 'ineligible' | 'can'>;
  readonly places: Pick<Places, 'lists'>;
  readonly log: Log;
}): ExportFiles {
  const { clientFor, open, permissions, places, log } = deps;

  /** The conversation for the file: the channel or, once another organization reads it, the requester's. */
  const placeOf = async (client: WebClient, { channel, place = channel, owner, who }: ExportRecord) => {
    if (isChannel(place) && !(await isSharedChannel(client, place))) {
      return place;
    }
    const direct = isChannel(place) || place === who ? await open(owner, who) : place;
    if (direct === undefined) {
      throw new SlackError('slack.state', 'whoever asked for the export takes no direct messages');
    }
    return direct;
  };

  /** Whether the requester still has the right to the file. */
  const mayHave = async (client: WebClient, { owner, who, what, position }: ExportRecord): Promise<boolean> => {
    if ((await permissions.ineligible(client, owner, [who])).length > 0) {
      return false;
    }
    const can = (role: RequiredRole) => permissions.can(client, { owner, userId: who }, role);
    const lists = await places.lists(owner);
    if (what.kind === 'roll_call') {
      const list = lists.find(({ id }) => id === what.list.id);
      const role = (await can('admin')) ? 'admin' : 'everyone';
      return list !== undefined && maySeeInside(list, { userId: who, role });
    }
    const listIds = lists.filter(({ settings }) => settings.custody?.others === 'everyone').map(({ id }) => id);
    return what.kind !== 'out' || ((position.ofOthers ?? []).every((id) => listIds.includes(id)) && can(what.role));
  };

  /** Whether the file is shared, in whatever channel: an earlier try may have shared it before the channel changed. */
  const isShared = async (client: WebClient, { fileId = '' }: ExportRecord): Promise<boolean> => {
    const found = info.safeParse(await client.files.info({ file: fileId }).catch(notSaid)).data?.file;
    const listed = [...(found?.channels ?? []), ...(found?.groups ?? []), ...(found?.ims ?? [])];
    return [...listed, ...Object.keys({ ...found?.shares?.public, ...found?.shares?.private })].length > 0;
  };

  const completeUpload = async (client: WebClient, record: ExportRecord, channel: string): Promise<void> => {
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
      await completeUpload(client, record, channel);
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
    async place(record) {
      try {
        return { channel: await placeOf(await clientFor(record.owner), record) };
      } catch (error) {
        return refusalOf(postFailure(error));
      }
    },

    async upload(record, { format, bytes, content }, signal) {
      try {
        const client = await clientFor(record.owner);
        const answer = await client.files.getUploadURLExternal({
          filename: fileNameOf(record),
          length: bytes,
        });
        const { upload_url: url, file_id: fileId } = promised.parse(answer);
        const { statusCode, body } = await request(url, {
          method: 'POST',
          headers: { 'content-type': mediaTypes[format], 'content-length': String(bytes) },
          body: Readable.from(content),
          signal,
          headersTimeout: uploadTimeoutMs,
          bodyTimeout: uploadTimeoutMs,
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

    async share(record, postedIn) {
      try {
        const client = await clientFor(record.owner);
        // An earlier try, whose answer was lost, may have shared the file.
        if (record.sharedAt !== undefined && (await isShared(client, record))) {
          return { outcome: 'shared' };
        }
        if (!(await mayHave(client, record))) {
          return { outcome: 'refused', code: 'export.no_access' };
        }
        const target = await placeOf(client, record);
        // Slack shares a file with a conversation's id, not a person's.
        const place = target === record.who && postedIn !== undefined && !isChannel(postedIn) ? postedIn : target;
        if (place === record.who) {
          return { outcome: 'retry', code: missingScopeCode(['im:write']) };
        }
        return { ...(await shareIn(client, record, place)), place };
      } catch (error) {
        return refusalOf(postFailure(error));
      }
    },

    async remove({ owner, fileId = '' }) {
      try {
        await (await clientFor(owner)).files.delete({ file: fileId });
        return undefined;
      } catch (error) {
        const failure = postFailure(error);
        const isGone = ['slack.file_deleted', 'slack.file_not_found'].includes(failure.code);
        return isGone ? undefined : refusalOf(failure);
      }
    },
  };
}

/** Slack does not say, as without `files:read`. @throws an error that may pass: a guess could share the file twice */
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

const mediaTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** The file's name: `scans-20260301-0930.xlsx`, in UTC. */
function fileNameOf(record: ExportRecord): string {
  const { what, createdAt } = record;
  const time = new Date(createdAt).toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${what.kind.replace('_', '-')}-${time}.${formatOf(record)}`;
}
