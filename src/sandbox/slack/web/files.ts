/** The files.* methods: info, delete, and Slack's three-step upload. */
import { z } from 'zod';
import type { Core } from '../core.js';
import { addFile, fileAsSlack } from '../files.js';
import { largestFile } from '../http.js';
import { announceMessages, sayAsApp } from '../messages.js';
import { SlackRefusal } from '../refusal.js';
import type { FileRecord } from '../world/records.js';
import { json, list, stamp, str, whole } from './args.js';
import { judgeContent } from './content.js';
import { type Caller, joinedChannel, type Method, method, threadOf } from './method.js';

export const uploadPath = '/upload/v1/';

const filesSchema = z.array(z.looseObject({ id: z.string(), title: z.string().optional() })).min(1);

/** Upload URLs: each accepts one upload from any caller that has it. */
export interface UploadAddresses {
  make(file: string): string;
  take(path: string): string | undefined;
}

export function createUploadAddresses(core: Pick<Core, 'random'>): UploadAddresses {
  const filesByPath = new Map<string, string>();
  return {
    make(file) {
      const path = `${uploadPath}${core.random.bytes(24).toString('base64url')}`;
      filesByPath.set(path, file);
      return path;
    },
    take(path) {
      const file = filesByPath.get(path);
      filesByPath.delete(path);
      return file;
    },
  };
}

function teamFile({ core, team }: Caller, id: string): FileRecord {
  const file = core.world.file(id);
  if (!file || file.team !== team.id) {
    throw new SlackRefusal('file_not_found');
  }
  if (file.deleted) {
    throw new SlackRefusal('file_deleted');
  }
  return file;
}

export function fileMethods(addresses: UploadAddresses): readonly Method[] {
  return [
    method('files.info', { scopes: ['files:read'], tier: 100, args: z.strictObject({ file: str }) }, (caller, args) => {
      const file = teamFile(caller, args.file);
      if (!file.complete) {
        throw new SlackRefusal('file_not_found');
      }
      return { file: fileAsSlack(caller.core, file), comments: [], response_metadata: { next_cursor: '' } };
    }),

    method(
      'files.delete',
      { scopes: ['files:write'], tier: 50, args: z.strictObject({ file: str }) },
      (caller, args) => {
        const { core, team } = caller;
        const file = teamFile(caller, args.file);
        if (file.user !== team.bot_user) {
          throw new SlackRefusal(
            file.channels.some((id) => core.world.isMember(id, team.bot_user)) ? 'cant_delete_file' : 'file_not_found',
          );
        }
        core.world.saveFile({ ...file, deleted: true }, Buffer.alloc(0));
        for (const channel of file.channels) {
          announceMessages(core, { channel });
        }
        return {};
      },
    ),

    method(
      'files.getUploadURLExternal',
      {
        scopes: ['files:write'],
        tier: 100,
        args: z.strictObject({
          filename: z.string().min(1),
          length: whole(1, largestFile),
          alt_txt: str.optional(),
          alt_text: str.optional(),
          snippet_type: str.optional(),
        }),
      },
      ({ core, team }, args) => {
        const file = addFile(core, { team: team.id, user: team.bot_user, name: args.filename, expected: args.length });
        return { upload_url: `${core.origin()}${addresses.make(file.id)}`, file_id: file.id };
      },
    ),

    method(
      'files.completeUploadExternal',
      {
        scopes: ['files:write'],
        tier: 100,
        args: z.strictObject({
          files: json,
          channel_id: str.optional(),
          channels: list.optional(),
          initial_comment: str.optional(),
          blocks: json.optional(),
          thread_ts: stamp.optional(),
        }),
      },
      (caller, args) => {
        const { core, team } = caller;
        const parsed = filesSchema.safeParse(args.files);
        if (!parsed.success) {
          throw new SlackRefusal('invalid_arguments', {
            response_metadata: { messages: ['[ERROR] files is invalid'] },
          });
        }
        const targets = [...(args.channel_id === undefined ? [] : [args.channel_id]), ...(args.channels ?? [])].map(
          (id) => joinedChannel(caller, id),
        );
        const announcedFiles = parsed.data.map((one) => ({ file: teamFile(caller, one.id), title: one.title }));
        if (announcedFiles.some(({ file }) => file.complete || file.expected !== undefined)) {
          throw new SlackRefusal('file_not_found');
        }
        const comment = {
          text: args.initial_comment ?? '',
          ...(args.blocks === undefined ? {} : { blocks: args.blocks }),
        };
        const content =
          comment.text === '' && args.blocks === undefined ? { text: '' } : judgeContent(core, team.id, comment);
        const completed = announcedFiles.map(({ file, title }) => {
          const record: FileRecord = {
            ...file,
            title: title ?? file.title,
            complete: true,
            channels: targets.map((channel) => channel.id),
            processing_until: core.clock.now() + core.rules.fileProcessingMs,
          };
          core.world.saveFile(record);
          return record;
        });
        for (const channel of targets) {
          const to = { channel: channel.id, files: completed.map((file) => file.id) };
          sayAsApp(core, team, { ...to, ...threadOf(core, channel, args.thread_ts) }, content);
        }
        return { files: completed.map((file) => fileAsSlack(core, file)) };
      },
    ),
  ];
}

/**
 * Stores the bytes of an announced file.
 * @returns Slack's error text, or undefined on success
 */
export function receiveUpload(core: Core, fileId: string, content: Buffer): string | undefined {
  const file = core.world.file(fileId);
  if (!file) {
    return 'file_not_found';
  }
  if (file.expected !== content.length) {
    return 'length_mismatch';
  }
  const { expected: _, ...rest } = file;
  core.world.saveFile({ ...rest, size: content.length }, content);
  return undefined;
}
