/**
 * XML answer to a device, at most 10,000 bytes. Outside text can never become a page (`<html`) or a request (`<curl`)
 * on the device; only the author of an answer can make it a page or a URL.
 */
import { z } from 'zod';
import { withPlainTag } from '../../codereadr/operations/page.js';
import type { RelaySettings } from '../record/settings.js';

/** The most bytes of an answer: the account cuts a longer one, and a document without its end is invalid. */
export const longestReply = 10_000;

export type DeviceQuestion = RelaySettings['questions'][number];

export interface Reply {
  readonly valid: boolean;
  /** Outside text, shown on the device as plain text. */
  readonly text: string;
  /** HTML in place of the text, with outside values already escaped. */
  readonly page?: string;
  /** The URL to open in place of the text, with outside values already encoded. */
  readonly url?: string;
  /** The heading on the device. */
  readonly title?: string;
  /** The color of the heading: `#rrggbb` */
  readonly color?: string;
  /** The id that makes a device that posts directly send the answers in a second submit. */
  readonly scanid?: string;
  /** The questions to ask on the device. The first that does not fit the document is left out, with all after it. */
  readonly questions?: readonly DeviceQuestion[];
}

/** The stored part of an answer besides its text, so that a repeat gets the same answer. `ask`: ids of questions. */
const storedReplyShape = z.object({
  page: z.string().optional(),
  url: z.string().optional(),
  title: z.string().optional(),
  color: z.string().optional(),
  ask: z.array(z.string()).optional(),
});
export type StoredReply = z.output<typeof storedReplyShape>;

/** The stored form of an answer; undefined if it is only a text. */
export function writeReply(reply: StoredReply): string | undefined {
  const text = JSON.stringify(reply);
  return text === '{}' ? undefined : text;
}

export function readReply(text: string | undefined): StoredReply {
  return text === undefined ? {} : storedReplyShape.parse(JSON.parse(text));
}

const documentStart = '<?xml version="1.0" encoding="UTF-8"?>\n<xml><message><status>';
const documentEnd = '</message></xml>';
/** The bytes of a document that questions must leave to the text. */
const leastForText = 2_000;

export function replyDocument(reply: Reply): string {
  const documentHead = `${documentStart}${reply.valid ? 1 : 0}</status><text>`;
  const endsLength = documentHead.length + '</text>'.length + documentEnd.length;
  const otherElements = `${displayConfig(reply)}${askingOnTheFly(reply, longestReply - endsLength - leastForText)}`;
  const maxBytes = longestReply - endsLength - Buffer.byteLength(otherElements);
  const request = reply.url === undefined ? undefined : escapeXml(`<curl>${xmlText(reply.url)}</curl>`);
  if (request !== undefined && Buffer.byteLength(request) <= maxBytes) {
    return `${documentHead}${request}</text>${otherElements}${documentEnd}`;
  }
  const text =
    reply.page === undefined
      ? fitText(plainText(reply.text), maxBytes, '…')
      : fittedPage(withPlainTag(xmlText(reply.page)), maxBytes);
  return `${documentHead}${text}</text>${otherElements}${documentEnd}`;
}

function displayConfig({ title, color }: Reply): string {
  if (title === undefined && color === undefined) {
    return '';
  }
  const config = { status_title_default: title, status_color_default: color };
  return `<scan_display_config>${escapeXml(xmlText(JSON.stringify(config)))}</scan_display_config>`;
}

function askingOnTheFly({ scanid, questions = [] }: Reply, maxBytes: number): string {
  if (questions.length === 0) {
    return '';
  }
  let document = scanid === undefined ? '' : `<scanid>${scanid}</scanid>`;
  for (const question of questions) {
    const element = questionElement(question);
    if (Buffer.byteLength(document) + Buffer.byteLength(element) > maxBytes) {
      break;
    }
    document += element;
  }
  return document;
}

function questionElement({ id, type, text, answers }: DeviceQuestion): string {
  const options = answers.map((answer, n) => `<answer id="${n + 1}">${escapeXml(plainText(answer))}</answer>`);
  const content = `<text>${escapeXml(plainText(text))}</text>${options.join('')}`;
  return `<question id="${id}" type="${type}" condition="post_submit">${content}</question>`;
}

/** The text without the tags that mean something to a device. */
function plainText(text: string): string {
  const carriable = xmlText(text);
  return carriable.includes('<') ? carriable.replace(/<(?=html|curl)/gi, '‹') : carriable;
}

/** The text with a picture (␝) or U+FFFD for each character that XML cannot carry. */
function xmlText(text: string): string {
  return /[^\t\n\r\x20-\x7e]/.test(text) ? text.replace(uncarried, picture) : text;
}

/** Characters that XML 1.0 forbids: controls, lone surrogates, U+FFFE, U+FFFF. DEL is allowed, but invisible. */
const uncarried = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]|\p{Surrogate}/gu;

function picture(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) {
    return String.fromCodePoint(0x2400 + code);
  }
  return code === 0x7f ? '␡' : '\ufffd';
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

function escapeXml(text: string): string {
  return /[&<>\r]/.test(text) ? text.replace(/[&<>\r]/g, (character) => entities[character]!) : text;
}

/** Cuts a page to `max` bytes, but not within a tag or an entity. A page that was cut ends with `…</html>`. */
function fittedPage(page: string, max: number): string {
  const whole = escapeXml(page);
  if (Buffer.byteLength(whole) <= max) {
    return whole;
  }
  const ending = escapeXml('…</html>');
  const cut = cutText(page, max - Buffer.byteLength(ending)).replace(/<[^>]*$|&[^;\s]*$/, '');
  return escapeXml(cut) + ending;
}

/** The text, escaped and cut after a whole character to fit `max` bytes. */
function fitText(text: string, max: number, ending: string): string {
  const whole = escapeXml(text);
  if (whole.length * 3 <= max || Buffer.byteLength(whole) <= max) {
    return whole;
  }
  return escapeXml(cutText(text, max - Buffer.byteLength(ending))) + ending;
}

/** As much of the text as fits when escaped. */
function cutText(text: string, max: number): string {
  let bytesLeft = max;
  let end = 0;
  for (const character of text) {
    bytesLeft -= Buffer.byteLength(escapeXml(character));
    if (bytesLeft < 0) {
      break;
    }
    end += character.length;
  }
  return text.slice(0, end);
}
