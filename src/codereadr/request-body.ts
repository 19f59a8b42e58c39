/**
 * The body of a call: a form, or multipart with a file. The API key is sent in the body and nowhere else. A file is
 * streamed, never read into memory whole, and limited to the bytes that its parameter allows.
 */
import type { Random } from '../clock.js';
import type { Encoded, EncodedField } from './operations/encode.js';
import type { FileInput, Operation } from './operations/operation.js';
import type { RequestBody } from './transport.js';
import { AccountError } from './types.js';

export function createRequestBody(operation: Operation, encoded: Encoded, apiKey: string, random: Random): RequestBody {
  const fields: readonly EncodedField[] = [
    ['section', operation.section],
    ['action', operation.action],
    ['api_key', apiKey],
    ...encoded.fields,
  ];
  if (encoded.file === undefined) {
    const form = new URLSearchParams();
    for (const [name, value] of fields) {
      form.append(name, value);
    }
    return { contentType: 'application/x-www-form-urlencoded', content: form.toString() };
  }
  const boundary = `scandesk-${random.bytes(18).toString('hex')}`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    ...multipart(boundary, fields, encoded.file),
  };
}

/** A multipart body. The platform's FormData turns every line break into CRLF, and a barcode may contain one. */
function multipart(
  boundary: string,
  fields: readonly EncodedField[],
  upload: NonNullable<Encoded['file']>,
): Pick<RequestBody, 'content' | 'length'> {
  const { file } = upload;
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : 'application/octet-stream';
  const encodedFields = fields.map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const partHead = Buffer.from(
    `${encodedFields.join('')}--${boundary}\r\n` +
      `content-disposition: form-data; name="${quoted(upload.name)}"; filename="${quoted(file.name)}"\r\n` +
      `content-type: ${type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* content(): AsyncGenerator<Uint8Array> {
    yield partHead;
    yield* withLimit(upload);
    yield tail;
  }
  const knownLength = file.content instanceof Uint8Array ? file.content.byteLength : undefined;
  return {
    content: content(),
    ...(knownLength !== undefined && { length: partHead.byteLength + knownLength + tail.byteLength }),
  };
}

/** @throws AccountError `account.input` for a file that is too large or breaks off: the account is not to blame */
async function* withLimit({ name, file, maxBytes }: NonNullable<Encoded['file']>): AsyncGenerator<Uint8Array> {
  let byteCount = 0;
  for await (const piece of piecesOf(file, name)) {
    byteCount += piece.byteLength;
    if (byteCount > maxBytes) {
      throw new AccountError('account.input', `the file is larger than ${maxBytes} bytes`, {
        param: name,
        apiCode: '105',
      });
    }
    yield piece;
  }
}

async function* piecesOf(file: FileInput, param: string): AsyncGenerator<Uint8Array> {
  if (file.content instanceof Uint8Array) {
    yield file.content;
    return;
  }
  try {
    yield* file.content;
  } catch (cause) {
    throw new AccountError('account.input', 'the file could not be read to its end', { cause, param });
  }
}

/** A name in quotes, escaped as browsers do. */
function quoted(name: string): string {
  return name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
}
