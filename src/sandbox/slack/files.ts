/** Files: adding them to a team, their description as Slack returns it, and the check of pictures in blocks. */
import { shownFiles } from './blocks/check.js';
import type { Core } from './core.js';
import { newId } from './ids.js';
import type { FileRecord } from './world/records.js';

export const filesPath = '/files-pri/';

const types: Readonly<Record<string, readonly [filetype: string, mimetype: string]>> = {
  csv: ['csv', 'text/csv'],
  xlsx: ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  txt: ['text', 'text/plain'],
  json: ['json', 'application/json'],
  xml: ['xml', 'text/xml'],
  html: ['html', 'text/html'],
  png: ['png', 'image/png'],
  jpg: ['jpg', 'image/jpeg'],
  jpeg: ['jpg', 'image/jpeg'],
  gif: ['gif', 'image/gif'],
  webp: ['webp', 'image/webp'],
  heic: ['heic', 'image/heic'],
  pdf: ['pdf', 'application/pdf'],
};

export const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

export function typeOf(name: string): readonly [filetype: string, mimetype: string] {
  return types[extensionOf(name)] ?? ['binary', 'application/octet-stream'];
}

/** Adds a file to a team: either complete with its content, or announced with its length. */
export function addFile(
  core: Core,
  file: { team: string; user: string; name: string; title?: string } & ({ content: Buffer } | { expected: number }),
): FileRecord {
  const [filetype, mimetype] = typeOf(file.name);
  const record: FileRecord = {
    id: newId(core.random, 'F'),
    team: file.team,
    user: file.user,
    name: file.name,
    title: file.title ?? file.name,
    mimetype,
    filetype,
    size: 'content' in file ? file.content.length : file.expected,
    created: Math.floor(core.clock.now() / 1000),
    channels: [],
    ...('content' in file ? { complete: true } : { expected: file.expected, complete: false }),
  };
  core.world.saveFile(record, 'content' in file ? file.content : undefined);
  return record;
}

/** Whether Slack still processes an app's upload: such a file has no type, and blocks cannot use it. */
const isProcessing = (core: Pick<Core, 'clock'>, file: FileRecord): boolean =>
  core.clock.now() < (file.processing_until ?? 0);

/** The file as files.info, messages and a file_input's state have it. */
export function fileAsSlack(core: Core, file: FileRecord): Record<string, unknown> {
  if (file.deleted) {
    return { id: file.id, mode: 'tombstone' };
  }
  const address = `${core.origin()}${filesPath}${file.team}-${file.id}`;
  const fileName = encodeURIComponent(file.name);
  const processing = isProcessing(core, file);
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype: processing ? '' : file.mimetype,
    filetype: processing ? '' : file.filetype,
    pretty_type: processing ? '' : file.filetype.toUpperCase(),
    user: file.user,
    user_team: file.team,
    editable: false,
    size: file.size,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: false,
    public_url_shared: false,
    url_private: `${address}/${fileName}`,
    url_private_download: `${address}/download/${fileName}`,
    ...(file.mimetype.startsWith('image/') && !processing ? { thumb_1024: `${address}/thumb_1024/${fileName}` } : {}),
    permalink: `${core.origin()}/files/${file.user}/${file.id}/${fileName}`,
    ...conversationsOf(core, file),
    file_access: 'visible',
  };
}

/** The conversations that the file was shared to, by kind. */
function conversationsOf(core: Core, { channels }: FileRecord) {
  const known = channels.flatMap((id) => core.world.channel(id) ?? []);
  const idsOf = (channels: typeof known) => channels.map(({ id }) => id);
  return {
    channels: idsOf(known.filter((one) => !one.is_private && !one.is_im)),
    groups: idsOf(known.filter((one) => one.is_private && !one.is_im)),
    ims: idsOf(known.filter((one) => one.is_im)),
  };
}

/**
 * @returns Slack's error message if a file in the blocks is not a picture of this team, or is still being processed.
 */
export function pictureFault(core: Pick<Core, 'world' | 'clock'>, team: string, blocks: unknown): string | undefined {
  const isWrong = shownFiles(blocks).some((id) => {
    const file = core.world.file(id);
    return (
      !file?.complete ||
      file.deleted ||
      file.team !== team ||
      isProcessing(core, file) ||
      !['png', 'jpg', 'gif'].includes(file.filetype)
    );
  });
  return isWrong ? '[ERROR] invalid slack file [json-pointer:/blocks]' : undefined;
}
