/**
 * Files that people give in a form, downloaded from Slack with the app's token. The token goes to Slack's hosts only, no
 * redirect is followed, and no file is read into memory beyond its limit.
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Clock } from '../../../clock.js';
import type { Config } from '../../../config.js';
import { ScandeskError } from '../../../errors.js';
import { abortAfter } from '../../../timeout.js';
import type { FormFile } from '../../forms/view-state.js';

export type FileErrorCode =
  | 'form.file_row'
  | 'form.file_foreign'
  | 'form.file_unreadable'
  | 'form.file_too_large'
  | 'form.file_no_text';

/** An error whose message is shown to the person as it is. */
export class FileError extends ScandeskError {
  declare readonly code: FileErrorCode;
  constructor(code: FileErrorCode, message: string, cause?: unknown) {
    super(code, message, { cause });
  }
}

/** The most bytes of a text given as a file. The limit is Scandesk's own: `readText` holds the whole text in memory. */
export const largestTextFile = 200_000;

const firstAnswerMs = 10_000;
const wholeFileMs = 300_000;

export interface FileSource {
  readonly client: WebClient;
  readonly config: Pick<Config, 'SLACK_API_URL'>;
  readonly clock: Clock;
}

export interface OpenedFile {
  /** The bytes of the file. The iteration throws if the download breaks. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Ends the download. */
  close(): void;
}

/** Requests the file from Slack; resolves once its content begins. @throws FileError */
export async function openFile(source: FileSource, file: FormFile, maxBytes: number): Promise<OpenedFile> {
  const url = file.url === '' ? await urlOf(source.client, file) : file.url;
  if (!isSlacks(url, source.config)) {
    throw new FileError(
      'form.file_foreign',
      'This file isn’t stored in Slack, so Scandesk can’t read it. Upload it here.',
    );
  }
  const stopRequest = new AbortController();
  const response = await request(url, source, stopRequest);
  const isPage = /^text\/html\b/i.test(response.headers.get('content-type') ?? '') && !/html/i.test(file.type);
  if (response.status !== 200 || isPage || response.body === null) {
    stopRequest.abort();
    throw new FileError(
      'form.file_unreadable',
      'Scandesk couldn’t download the file from Slack. Upload it again. If that doesn’t help, ask an admin to reinstall Scandesk.',
    );
  }
  return { pieces: withLimit(response.body, maxBytes), close: () => stopRequest.abort() };
}

/** Reads a file. @throws FileError */
export async function readFile(source: FileSource, file: FormFile, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const { pieces: content } = await openFile(source, file, maxBytes);
  for await (const piece of content) {
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Reads a text file. @throws FileError */
export async function readText(source: FileSource, file: FormFile): Promise<string> {
  const bytes = await readFile(source, file, largestTextFile);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new FileError(
      'form.file_no_text',
      'The file isn’t UTF-8 text. Save it as plain text and upload it again.',
      cause,
    );
  }
}

/** Whether the app's token may be sent to the URL. */
export function isSlacks(url: string, { SLACK_API_URL }: Pick<Config, 'SLACK_API_URL'>): boolean {
  if (!URL.canParse(url)) {
    return false;
  }
  const { protocol, hostname, origin, port } = new URL(url);
  const isSlack = /(^|\.)slack(-gov)?\.com$/.test(hostname) && protocol === 'https:' && port === '';
  return isSlack || origin === new URL(SLACK_API_URL).origin;
}

export function tooLarge(bytes: number, maxBytes: number): string {
  return `The file is too large: ${inMegabytes(bytes)}. The limit is ${inMegabytes(maxBytes)}.`;
}

export function inMegabytes(bytes: number): string {
  return bytes < 100_000
    ? `${Math.max(1, Math.ceil(bytes / 1000)).toLocaleString('en-US')} KB`
    : `${(bytes / 1_000_000).toFixed(bytes % 1_000_000 === 0 ? 0 : 1)} MB`;
}

async function request(url: string, { client, clock }: FileSource, stopRequest: AbortController): Promise<Response> {
  try {
    return await abortAfter(clock, firstAnswerMs, new Error('no response in time'), (late) =>
      fetch(url, {
        headers: { authorization: `Bearer ${client.token ?? ''}` },
        // Without access Slack redirects to a login page; the token must not go along.
        redirect: 'manual',
        signal: AbortSignal.any([stopRequest.signal, late, AbortSignal.timeout(wholeFileMs)]),
      }),
    );
  } catch (cause) {
    throw new FileError(
      'form.file_unreadable',
      'Scandesk couldn’t download the file from Slack. Try again in a minute.',
      cause,
    );
  }
}

async function* withLimit(pieces: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) {
      throw new FileError('form.file_too_large', tooLarge(bytes, maxBytes));
    }
    yield piece;
  }
}

const info = z.object({ file: z.object({ url_private: z.string() }) });

/** The file's URL, for a form whose state names none. */
async function urlOf(client: WebClient, { id }: FormFile): Promise<string> {
  try {
    return info.parse(await client.files.info({ file: id })).file.url_private;
  } catch (cause) {
    throw new FileError(
      'form.file_unreadable',
      'Scandesk couldn’t download the file from Slack. Upload it here again.',
      cause,
    );
  }
}
