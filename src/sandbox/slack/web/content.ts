/**
 * Validation of message content, shared by chat.postMessage, chat.update, chat.postEphemeral, a file's comment,
 * response_url and a command's immediate response.
 */
import { z } from 'zod';
import { checkMessageBlocks, hasTwoTables } from '../blocks/check.js';
import type { Core } from '../core.js';
import { pictureFault } from '../files.js';
import type { Content } from '../messages.js';
import { SlackRefusal } from '../refusal.js';
import type { Metadata } from '../world/records.js';

export interface GivenContent {
  readonly text?: string;
  readonly blocks?: unknown;
  readonly attachments?: unknown;
  readonly metadata?: unknown;
  readonly unfurl_links?: boolean;
  readonly unfurl_media?: boolean;
}

const longestText = 40_000;
/**
 * The most characters in a message's blocks, each block counting 50 more. Slack publishes no limit. Apps report that it
 * accepts 9,597 characters in 50 blocks and 13,297 in one (more than the sandbox does), and refuses 11,341 in 45.
 */
const mostBlockLetters = 13_200;
const lettersOfBlock = 50;
/** The most characters of metadata as JSON. Slack publishes no limit; apps commonly find this size accepted. */
const largestMetadata = 8_000;

const metadataSchema = z.strictObject({
  event_type: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[A-Za-z0-9_.-]+$/),
  event_payload: z.record(z.string(), z.unknown()),
});

/**
 * @throws SlackRefusal no_text, msg_too_long, msg_blocks_too_long, invalid_json, invalid_blocks, invalid_attachments,
 *   too_many_attachments, invalid_metadata_format, metadata_too_large
 */
export function judgeContent(core: Core, team: string, givenContent: GivenContent): Content {
  const blocks = isNothing(givenContent.blocks) ? undefined : givenContent.blocks;
  const attachments = isNothing(givenContent.attachments) ? undefined : givenContent.attachments;
  const text = givenContent.text ?? '';
  if (text === '' && blocks === undefined && attachments === undefined) {
    throw new SlackRefusal('no_text');
  }
  if (text.length > longestText) {
    throw new SlackRefusal('msg_too_long');
  }
  requireWellFormed(givenContent);
  return {
    text,
    ...(blocks === undefined ? {} : { blocks: judgeBlocks(core, team, blocks) }),
    ...(attachments === undefined ? {} : { attachments: judgeAttachments(core, attachments) }),
    ...(givenContent.metadata === undefined ? {} : { metadata: judgeMetadata(givenContent.metadata) }),
    ...(givenContent.unfurl_links === undefined ? {} : { unfurl_links: givenContent.unfurl_links }),
    ...(givenContent.unfurl_media === undefined ? {} : { unfurl_media: givenContent.unfurl_media }),
  };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function judgeBlocks(core: Core, team: string, blocks: unknown) {
  if (hasTwoTables(blocks)) {
    throw new SlackRefusal('invalid_attachments', {
      response_metadata: { messages: ['[ERROR] only_one_table_allowed [json-pointer:/blocks]'] },
    });
  }
  const checkedBlocks = checkMessageBlocks(blocks, core.random);
  const picture = checkedBlocks.ok ? pictureFault(core, team, blocks) : undefined;
  const faults = checkedBlocks.ok ? (picture === undefined ? [] : [picture]) : checkedBlocks.faults;
  if (checkedBlocks.ok && lettersIn(blocks) + checkedBlocks.value.length * lettersOfBlock > mostBlockLetters) {
    throw new SlackRefusal('msg_blocks_too_long');
  }
  if (!checkedBlocks.ok || faults.length > 0) {
    throw new SlackRefusal('invalid_blocks', {
      errors: faults.map((fault) => fault.replace(/^\[ERROR\] /, '')),
      response_metadata: { messages: faults },
    });
  }
  return checkedBlocks.value;
}

/** Half a surrogate pair is no text: a strict JSON reader refuses it. @throws SlackRefusal invalid_json */
export function requireWellFormed(value: unknown): void {
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) {
    throw new SlackRefusal('invalid_json');
  }
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(requireWellFormed);
  }
}

/** The number of characters in all texts of the part. */
function lettersIn(part: unknown): number {
  if (typeof part !== 'object' || part === null) {
    return 0;
  }
  return Object.entries(part).reduce(
    (sum, [key, value]) => sum + (key === 'text' && typeof value === 'string' ? value.length : lettersIn(value)),
    0,
  );
}

function judgeAttachments(core: Core, attachments: unknown): readonly unknown[] {
  if (!Array.isArray(attachments)) {
    throw new SlackRefusal('invalid_attachments');
  }
  if (attachments.length > 100) {
    throw new SlackRefusal('too_many_attachments');
  }
  return attachments.map((attachment: unknown, index) => {
    if (typeof attachment !== 'object' || attachment === null) {
      throw new SlackRefusal('invalid_attachments');
    }
    const { blocks } = attachment as { blocks?: unknown };
    if (blocks === undefined) {
      return attachment;
    }
    const checked = checkMessageBlocks(blocks, core.random, `/attachments/${index}/blocks`);
    if (!checked.ok) {
      throw new SlackRefusal('invalid_attachments', { response_metadata: { messages: checked.faults } });
    }
    return { ...attachment, blocks: checked.value };
  });
}

export function judgeMetadata(metadata: unknown): Metadata {
  const parsed = metadataSchema.safeParse(metadata);
  if (!parsed.success) {
    throw new SlackRefusal('invalid_metadata_format');
  }
  if (JSON.stringify(parsed.data).length > largestMetadata) {
    throw new SlackRefusal('metadata_too_large');
  }
  return parsed.data;
}
