/** The messages of an export: its progress, its file, and how it ended. Pure. */
import type { EndedExport, ExportRecord } from '../../exports/index.js';
import { actions, type Block, button, type Message, message } from '../block-kit/elements.js';
import { bold, channelElement, escaped, type LinePart, person, richText } from '../block-kit/text.js';
import { isChannel } from '../bolt/channels.js';
import { countLine, endingOf, exportNotes, nouns, whatLine } from './describe-export.js';

export const cancelAction = 'export.cancel';

/** The progress: "40,000 of about 200,000". A search may have counted fewer scans than there are. */
function progress({ state, rows, expected }: ExportRecord): string {
  const done = rows.toLocaleString('en-US');
  if (state === 'uploading') {
    return `All ${done} written. Sending the file…`;
  }
  return expected === undefined || expected < rows ? done : `${done} of about ${expected.toLocaleString('en-US')}`;
}

export function progressMessage(record: ExportRecord): Message {
  const { id, who, what } = record;
  const title = `Exporting ${nouns[what.kind]}s…`;
  return message(`${title} ${progress(record)}`, [
    richText([bold(title), ` ${progress(record)}`], [...whatLine(what), ...askedBy(record, who)]),
    actions([button('Cancel', cancelAction, { value: id })], 'export.buttons'),
  ]);
}

/** Who asked for the export, named in a channel, where others see its message. */
function askedBy({ channel }: ExportRecord, userId: string): LinePart[] {
  return channel === userId ? [] : [' · for ', person(userId)];
}

/** The message in place of the progress, once outsiders read the channel: it says nothing of the file. */
export function movedMessage(userId: string): Message {
  const why = 'This channel is now shared with another organization, so the export went to ';
  return message(`${why}a direct message.`, [richText([why, person(userId), ' in a direct message.'])]);
}

/** The message beside the file, in the conversation where it is. */
export function fileBlocks(record: ExportRecord, conversation: string): Block[] {
  const { who, what, channel } = record;
  const isMoved = isChannel(channel) && !isChannel(conversation);
  return [
    richText(
      [bold(`${countLine(record)} exported`), ...(isMoved ? [] : askedBy(record, who))],
      [...whatLine(what)],
      ...exportNotes(record),
      ...(isMoved
        ? [['Sent to you alone, because ', channelElement(channel), ' is now shared with another organization.']]
        : []),
    ),
  ];
}

/** The message beside the file as text, where Slack takes no blocks. */
export function fileComment(record: ExportRecord): string {
  return escaped(`${countLine(record)} exported`);
}

export function endedMessage(record: EndedExport): Message {
  const text = endingOf(record);
  return message(escaped(text), [richText(text, whatLine(record.what))]);
}
