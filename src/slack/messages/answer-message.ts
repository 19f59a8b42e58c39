/** The notes on pictures and barcodes left out, below the cards or, where there is no barcode, in their place. Pure. */
import { countOf } from '../../english.js';
import { type Block, type Context, cut, type Message, message, plainContext } from '../block-kit/elements.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, code, escaped, richText } from '../block-kit/text.js';
import { refusedFor } from '../bolt/scopes.js';
import { mostPictures, type PictureNote } from './read-pictures.js';

/** The failure of a barcode that is too long for the account. */
export interface TooLong {
  readonly kind: 'long';
  readonly length: number;
}

/** The failure of a barcode with a NUL. */
interface Unstorable {
  readonly kind: 'unstorable';
}

export type Note = PictureNote | TooLong | Unstorable;

export function withNotes(card: Message, notes: readonly Note[]): Message {
  return notes.length === 0 ? card : { ...card, blocks: [...card.blocks, notesBlock(notes)] };
}

/** The answer where no barcode can be looked up. */
export function nothingFound(notes: readonly Note[]): Message {
  const title = 'No barcode found in this message.';
  const lines: Block[] = notes.length > 0 ? [notesBlock(notes)] : [];
  return message(`${title} ${notes.map((note) => escaped(noteText(note))).join(' ')}`.trim(), [
    richText([bold(title)], ['To look one up, type ', code('/barcode VALUE'), '.']),
    ...lines,
  ]);
}

function notesBlock(notes: readonly Note[]): Context {
  const texts = [...new Set(notes.map(noteText))];
  return plainContext(...texts.slice(0, 10).map((text) => cut(text, 500)));
}

function noteText(note: Note): string {
  switch (note.kind) {
    case 'scope':
      return refusedFor('Scandesk can’t read pictures in this workspace', note.scopes);
    case 'left_out':
      return `Scandesk reads ${mostPictures} pictures at once. ${countOf(note.count, 'picture')} left out.`;
    case 'long':
      return `A barcode with ${countOf(note.length, 'character')} was left out: one can have up to 100.`;
    case 'unstorable':
      return 'A barcode was left out: it holds a character that no database keeps (NUL).';
    default:
      return aboutPicture(note.kind, `“${shortName(note.name)}”`);
  }
}

function aboutPicture(kind: Extract<PictureNote, { name: string }>['kind'], fileName: string): string {
  switch (kind) {
    case 'none':
      return `No barcode found in ${fileName}. Try a sharper picture, taken closer and straight on.`;
    case 'closed':
      return `Scandesk may not open ${fileName}. Send the picture to Scandesk in a direct message.`;
    case 'heic':
      return `${fileName} is in a format Scandesk can’t read. Send it as JPEG or PNG.`;
    case 'too_large':
      return `${fileName} is too large. Send a picture of up to 20 MB and 50 megapixels.`;
    case 'format':
    case 'broken':
      return `${fileName} couldn’t be read as a picture. Send it as JPEG or PNG.`;
    case 'failed':
    case 'busy':
      return `${fileName} took too long to read. Try again in a minute.`;
  }
}
