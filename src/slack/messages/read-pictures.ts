/**
 * The barcodes in a message's pictures. Slack is asked whether the app may read a file; Slack's thumbnail is read where
 * the picture itself cannot be read. Nothing of a picture is stored.
 */
import { z } from 'zod';
import { mostPictureBytes, type PictureBarcode, type PictureRefusal } from '../../images/index.js';
import { isSlackOutage, slackErrorCode } from '../bolt/errors.js';
import type { MessageContext } from '../bolt/routing/context.js';
import { scopesMissedBy } from '../bolt/scopes.js';
import { FileError, openFile } from '../operations/files/files.js';

/** The most pictures read of a message: each takes a second or more, and other people wait. */
export const mostPictures = 5;

/** Why pictures gave no barcode: one picture, by its file's name; all for want of a scope; or those above the most. */
export type PictureNote =
  | { readonly kind: 'scope'; readonly scopes: readonly string[] }
  | { readonly kind: 'left_out'; readonly count: number }
  | { readonly kind: 'none' | 'closed' | PictureRefusal; readonly name: string };

export interface ReadPictures {
  readonly barcodes: readonly PictureBarcode[];
  readonly notes: readonly PictureNote[];
}

const thumbnails = ['thumb_1024', 'thumb_960', 'thumb_800', 'thumb_720', 'thumb_480', 'thumb_360'] as const;

const url = z.string().optional().catch(undefined);
const fileSchema = z.object({
  file: z.object({
    id: z.string(),
    name: z
      .string()
      .nullish()
      .transform((name) => name ?? 'picture'),
    mimetype: z.string().catch(''),
    size: z.number().catch(0),
    url_private: z.string().catch(''),
    ...(Object.fromEntries(thumbnails.map((name) => [name, url])) as Record<(typeof thumbnails)[number], typeof url>),
  }),
});

type SlackFile = z.output<typeof fileSchema>['file'];

type Files = NonNullable<MessageContext['message']['files']>;

/** Files that may be pictures: of a file shared from elsewhere, only the id is known. */
export function picturesOf(files: Files | null | undefined): Files {
  return (files ?? []).filter(({ mimetype }) => !mimetype || mimetype.startsWith('image/'));
}

type Context = Pick<MessageContext, 'deps' | 'client' | 'reference'>;

export async function readPictures(context: Context, files: Files): Promise<ReadPictures> {
  const barcodes: PictureBarcode[] = [];
  const notes: PictureNote[] = [];
  for (const { id, name } of files.slice(0, mostPictures)) {
    const read = await readPicture(context, id, name ?? 'picture');
    if ('note' in read) {
      notes.push(read.note);
    } else {
      barcodes.push(...read.barcodes);
    }
    if (notes.at(-1)?.kind === 'scope') {
      break;
    }
  }
  const filesLeft = files.length - mostPictures;
  return { barcodes, notes: filesLeft > 0 ? [...notes, { kind: 'left_out', count: filesLeft }] : notes };
}

async function readPicture(
  context: Context,
  id: string,
  fileName: string,
): Promise<{ readonly note: PictureNote } | { readonly barcodes: readonly PictureBarcode[] }> {
  let file: SlackFile;
  try {
    ({ file } = fileSchema.parse(await context.client.files.info({ file: id })));
  } catch (error) {
    return { note: refusedBy(error, fileName) };
  }
  if (!file.mimetype.startsWith('image/')) {
    return { note: { kind: 'format', name: file.name } };
  }
  const thumbnail = thumbnails.map((each) => file[each]).find((each) => each !== undefined);
  const isReadable = file.size <= mostPictureBytes && !/hei[cf]/.test(file.mimetype);
  const urls = [...(isReadable ? [file.url_private] : []), ...(thumbnail === undefined ? [] : [thumbnail])];
  let refusal: PictureRefusal | 'closed' = file.size > mostPictureBytes ? 'too_large' : 'heic';
  for (const address of urls) {
    const result = await readPictureAt(context, file, address);
    if (result.kind === 'read') {
      return result.barcodes.length > 0 ? result : { note: { kind: 'none', name: file.name } };
    }
    refusal = result.why;
  }
  return { note: { kind: refusal, name: file.name } };
}

async function readPictureAt({ deps, client, reference }: Context, file: SlackFile, address: string) {
  const { id, name, mimetype: type, size } = file;
  const { config, clock, log } = deps;
  try {
    const openedFile = await openFile(
      { client, config, clock },
      { id, name, type, size, url: address },
      mostPictureBytes,
    );
    const pieces: Uint8Array[] = [];
    for await (const piece of openedFile.pieces) {
      pieces.push(piece);
    }
    return await deps.pictures.read(Buffer.concat(pieces));
  } catch (error) {
    log.info({ err: error, reference }, 'a picture could not be downloaded');
    const isTooLarge = error instanceof FileError && error.code === 'form.file_too_large';
    return { kind: 'refused', why: isTooLarge ? 'too_large' : 'closed' } as const;
  }
}

/** The note on a picture that could not be read. @throws an error that is no answer about the file */
function refusedBy(error: unknown, name: string): PictureNote {
  const scopes = scopesMissedBy(error);
  if (scopes) {
    return { kind: 'scope', scopes };
  }
  const code = slackErrorCode(error);
  if (code === undefined || isSlackOutage(error) || code === 'ratelimited') {
    throw error;
  }
  return { kind: 'closed', name };
}
