/** The classification of an answer with HTTP status 200 by its content: data, a picture, a refusal, or broken. */
import { refusedError } from './errors.js';
import type { Operation, Picture } from './operations/operation.js';
import { firstNamed, text } from './operations/read.js';
import { brokenAnswer, type RawResponse } from './transport.js';
import { AccountError, type BrokenReason } from './types.js';
import { decodeXml, type Element, XmlError } from './xml/xml.js';

/**
 * Parses an answer into the operation's output.
 * @throws AccountError `account.refused` (quota codes included), `account.key_refused` or `account.broken`
 */
export async function readAnswer(operation: Operation, answer: RawResponse): Promise<unknown> {
  const picture = pictureIn(answer.body);
  if (picture) {
    if (!operation.picture) {
      throw brokenAnswer('xml', 'the account answered with a picture');
    }
    return operation.picture(picture);
  }
  const root = await readDocument(answer.body);
  refuseFailure(operation, root);
  try {
    return await operation.output(root);
  } catch (error) {
    throw error instanceof AccountError ? error : brokenAnswer('data', 'the answer holds what was not expected');
  }
}

const signatures: readonly (readonly [
  magic: Buffer,
  format: Picture['format'],
  contentType: Picture['contentType'],
])[] = [
  [Buffer.from('GIF8', 'latin1'), 'gif', 'image/gif'],
  [Buffer.from([0xff, 0xd8, 0xff]), 'jpg', 'image/jpeg'],
  [Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'png', 'image/png'],
];

function pictureIn(body: Buffer): Picture | undefined {
  for (const [magic, format, contentType] of signatures) {
    if (body.subarray(0, magic.length).equals(magic)) {
      return { format, contentType, content: body };
    }
  }
  return undefined;
}

async function readDocument(body: Buffer): Promise<Element> {
  const document = readText(body);
  if (document.trim() === '') {
    throw brokenAnswer('empty', 'the answer is empty');
  }
  if (/^\s*<(?:!doctype\s+html|html)\b/i.test(document)) {
    throw brokenAnswer('html', 'the account answered with an HTML page');
  }
  let root: Element;
  try {
    root = await decodeXml(document);
  } catch (error) {
    throw error instanceof XmlError ? brokenAnswer(reasonOf(error), error.message, error) : error;
  }
  return root;
}

/** Decodes a body; invalid UTF-8 would become a replacement character in somebody's barcode. */
function readText(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw brokenAnswer('encoding', 'the answer is not UTF-8');
  }
}

function reasonOf(error: XmlError): BrokenReason {
  switch (error.code) {
    case 'xml.cut_off':
      return 'cut_off';
    case 'xml.too_large':
      return 'too_large';
    case 'xml.empty':
      return 'empty';
    default:
      return 'xml';
  }
}

function refuseFailure(operation: Operation, root: Element): void {
  const status = root.name === 'xml' ? text(root, 'status').trim() : '';
  if (status === '1') {
    return;
  }
  const error = firstNamed(root, 'error');
  if (root.name !== 'xml' || (status !== '0' && !error)) {
    throw brokenAnswer('no_status', 'the answer has no status');
  }
  throw refusedError(operation, error?.attributes.code?.trim() ?? '', error?.text ?? '');
}
