/**
 * The reader of a call: POST form, XML file, XML string, GET query, or multipart with files, which go to disk. A body
 * past its limit is refused only after it is read to the end, so that the caller gets the answer.
 */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { Refusal } from '../answer/refusal.js';
import { nestFields, readForm } from './form.js';
import type { Fields } from './variables.js';
import { maxXmlBytes, readXml } from './xml.js';

export interface ReceivedFile {
  readonly name: string;
  readonly type: string;
  readonly path: string;
  readonly bytes: number;
  /** Whether the file exceeded the limit; the copy on disk is then truncated. */
  readonly isTruncated: boolean;
}

export interface ReceivedCall {
  readonly encoding: 'form' | 'xml file' | 'xml string' | 'query' | 'multipart';
  readonly fields: Fields;
  readonly files: ReadonlyMap<string, ReceivedFile>;
  /** Deletes the files that nobody has moved. */
  dispose(): Promise<void>;
}

export interface ReadOptions {
  /** The folder of uploaded files while a call is answered. */
  readonly spool: string;
  readonly maxFileBytes: number;
}

/** The most bytes of a form: a percent-encoded XML document of 1 MB is at most three times as long. */
const maxFormBytes = 4_000_000;

/** The most bytes read of a body that is not multipart: past them the connection is closed without an answer. */
const mostRead = 200_000_000;

/** Reads a call. @throws Refusal 102, 103, 104, 105 */
export async function readCall(request: IncomingMessage, options: ReadOptions): Promise<ReceivedCall> {
  if (request.method === 'GET') {
    const query = (request.url ?? '').split('?').slice(1).join('?');
    return fromForm(readForm(query), 'query');
  }
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'multipart/form-data') {
    return readMultipart(request, options);
  }
  if (type === 'application/xml' || type === 'text/xml') {
    const { body, isWhole } = await readBody(request, maxXmlBytes);
    if (!isWhole) throw new Refusal('102');
    return plainCall(readXml(body), 'xml file');
  }
  const { body, isWhole } = await readBody(request, maxFormBytes);
  if (!isWhole) throw new Refusal(body.includes('xml=') ? '102' : '105');
  return fromForm(readForm(body), 'form');
}

function fromForm(fields: Fields, encoding: 'form' | 'query'): ReceivedCall {
  return typeof fields.xml === 'string'
    ? plainCall(readXml(fields.xml), encoding === 'query' ? encoding : 'xml string')
    : plainCall(fields, encoding);
}

function plainCall(fields: Fields, encoding: ReceivedCall['encoding']): ReceivedCall {
  return { encoding, fields, files: new Map(), dispose: async () => {} };
}

async function readBody(request: IncomingMessage, limit: number): Promise<{ body: string; isWhole: boolean }> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= limit) parts.push(part);
    if (size > mostRead) request.destroy();
  }
  return { body: Buffer.concat(parts).toString('utf8'), isWhole: size <= limit };
}

async function readMultipart(request: IncomingMessage, options: ReadOptions): Promise<ReceivedCall> {
  const folder = await mkdtemp(join(options.spool, 'call-'));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    return await parseMultipart(request, folder, options, dispose);
  } catch (error) {
    request.resume();
    await dispose();
    throw error instanceof Refusal ? error : new Refusal('104');
  }
}

async function parseMultipart(
  request: IncomingMessage,
  folder: string,
  options: ReadOptions,
  dispose: () => Promise<void>,
): Promise<ReceivedCall> {
  const pairs: [string, string][] = [];
  const files = new Map<string, ReceivedFile>();
  const fileWrites: Promise<void>[] = [];
  const parser = new Busboy({
    headers: request.headers as BusboyHeaders,
    limits: { fileSize: options.maxFileBytes, files: 5, fields: 5000, fieldSize: maxXmlBytes + 1, fieldNameSize: 300 },
  });
  let tooLong = false;
  parser.on('field', (name, value, _nameTruncated, valueTruncated) => {
    tooLong ||= valueTruncated;
    pairs.push([name, value]);
  });
  parser.on('file', (field, stream, fileName, _encoding, type) => {
    const path = join(folder, String(fileWrites.length));
    fileWrites.push(
      pipeline(stream, createWriteStream(path)).then(async () => {
        const bytes = (await stat(path)).size;
        // Only the first file of a name counts.
        if (files.has(field)) return;
        files.set(field, {
          name: fileName ?? '',
          type,
          path,
          bytes,
          isTruncated: stream.truncated === true,
        });
      }),
    );
  });
  await pipeline(request, parser);
  await Promise.all(fileWrites);
  if (tooLong) throw new Refusal('105');
  const fields = nestFields(pairs);
  return {
    encoding: 'multipart',
    fields: typeof fields.xml === 'string' ? readXml(fields.xml) : fields,
    files,
    dispose,
  };
}
