/**
 * Barcodes and lines of text, drawn with bwip-js. A value is encoded exactly as it is; a value that does not fit the
 * symbology is refused, never altered.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import bwip from 'bwip-js/node';
import { symbologies } from '../../../codereadr/operations/symbologies.js';
import { type Bitmap, blank } from './bitmap.js';
import { decodePicture } from './picture.js';

/** The library does not support the symbology, or the value does not fit it. */
export class SymbolError extends Error {}

interface Encoder {
  readonly bcid: string;
  readonly matrix?: true;
  readonly options?: Readonly<Record<string, boolean | number | string>>;
}

const addOn = { permitaddon: true } as const;

/**
 * The library's encoders by the account's symbology id. The library does not support the missing ones (Hong Kong 2 of
 * 5, Korea Post, Trioptic).
 */
const encoders: Readonly<Record<string, Encoder>> = {
  1: { bcid: 'azteccode', matrix: true },
  2: { bcid: 'code128' },
  3: { bcid: 'rationalizedCodabar' },
  4: { bcid: 'codablockf' },
  5: { bcid: 'code11' },
  6: { bcid: 'code128' },
  7: { bcid: 'code39' },
  8: { bcid: 'code93', options: { includecheck: true } },
  9: { bcid: 'gs1-128composite' },
  10: { bcid: 'upcacomposite' },
  11: { bcid: 'gs1northamericancoupon' },
  12: { bcid: 'datamatrix', matrix: true },
  13: { bcid: 'datamatrixrectangular', matrix: true },
  14: { bcid: 'ean13' },
  15: { bcid: 'ean13' },
  16: { bcid: 'ean13' },
  17: { bcid: 'isbn' },
  18: { bcid: 'ean8' },
  19: { bcid: 'ean8', options: addOn },
  20: { bcid: 'ean8', options: addOn },
  21: { bcid: 'gs1-128' },
  22: { bcid: 'hanxin', matrix: true },
  24: { bcid: 'industrial2of5' },
  25: { bcid: 'iata2of5' },
  26: { bcid: 'interleaved2of5' },
  27: { bcid: 'itf14' },
  29: { bcid: 'matrix2of5' },
  30: { bcid: 'maxicode', matrix: true },
  31: { bcid: 'micropdf417' },
  32: { bcid: 'msi' },
  33: { bcid: 'pdf417' },
  34: { bcid: 'qrcode', matrix: true },
  35: { bcid: 'databaromni' },
  36: { bcid: 'databarexpanded' },
  37: { bcid: 'databarlimited' },
  38: { bcid: 'code2of5' },
  39: { bcid: 'telepen' },
  41: { bcid: 'upca' },
  42: { bcid: 'upca' },
  43: { bcid: 'upca' },
  44: { bcid: 'upce' },
  45: { bcid: 'upce' },
  46: { bcid: 'upce' },
  47: { bcid: 'upce' },
  48: { bcid: 'upce' },
  49: { bcid: 'upca' },
};

export const drawableIds: readonly string[] = Object.keys(encoders);

/** `qr`, `pdf417`, a symbology's id or its name, in any case. @returns its id; `undefined`: unknown or unsupported */
export function symbologyOf(word: string): string | undefined {
  const plain = word.trim().toLowerCase();
  const id =
    { qr: '34', pdf417: '33' }[plain] ??
    symbologies.find(([number, name]) => plain === number || plain === name.toLowerCase())?.[0];
  return id !== undefined && Object.hasOwn(encoders, id) ? id : undefined;
}

export type ErrorCorrection = 'L' | 'M' | 'Q' | 'H';

export interface SymbolRequest {
  readonly symbology: string;
  readonly value: string;
  /**
   * The size of a square symbol in pixels; a wide one gets about twice as many, and more where the value needs more.
   */
  readonly pixels: number;
  readonly errorCorrection: ErrorCorrection;
}

const pdfLevels = { L: 2, M: 3, Q: 4, H: 5 } as const;

/** Draws a symbol, with the quiet zone that a reader needs. @throws SymbolError */
export async function drawSymbol(request: SymbolRequest): Promise<Bitmap> {
  const encoder = encoders[request.symbology];
  if (!encoder) throw new SymbolError('this symbology is not drawn');
  const options = {
    bcid: encoder.bcid,
    text: request.value,
    backgroundcolor: 'FFFFFF',
    paddingwidth: encoder.matrix ? 4 : 10,
    paddingheight: 4,
    ...encoder.options,
    ...(request.symbology === '34' ? { eclevel: request.errorCorrection } : {}),
    ...(request.symbology === '33' ? { eclevel: pdfLevels[request.errorCorrection] } : {}),
  };
  const smallest = await draw({ ...options, scale: 1 });
  const room = encoder.matrix ? request.pixels : request.pixels * 2;
  const scale = Math.min(12, Math.floor(room / smallest.width));
  return scale <= 1 ? smallest : draw({ ...options, scale });
}

const font = 'Inconsolata';

/** Loads the library's second font: it covers Latin-1, the built-in one ASCII only. */
function loadFont(): void {
  const library = dirname(createRequire(import.meta.url).resolve('bwip-js'));
  bwip.loadFont(font, 100, readFileSync(join(library, '..', 'fonts', 'Inconsolata.otf')));
}

let fontLoaded = false;

/** One line of text, black on white, about `pixels` high. */
export async function drawText(text: string, pixels: number): Promise<Bitmap> {
  if (text.trim() === '') return blank(1, 1);
  if (!fontLoaded) loadFont();
  fontLoaded = true;
  const bitmap = await draw({
    bcid: 'code128',
    text: '1',
    height: 4,
    scale: 1,
    includetext: true,
    alttext: drawableText(text),
    textfont: font,
    textsize: Math.max(8, pixels),
    textyoffset: -8,
    textxalign: 'center',
    backgroundcolor: 'FFFFFF',
  });
  return belowBars(bitmap);
}

/**
 * A text that the font can draw. The font draws another glyph for an unknown character, which would falsify a label:
 * such a character is written as its code, `\x1d` or `\u{3a9}`.
 */
function drawableText(text: string): string {
  return text.replace(/[^\x20-\x7e\xa0-\xff]/gu, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

async function draw(options: Record<string, unknown> & { bcid: string; text: string }): Promise<Bitmap> {
  try {
    return await decodePicture(await bwip.toBuffer(options));
  } catch (error) {
    throw new SymbolError('the value does not go into this symbology', { cause: error });
  }
}

/** Cuts the text out of a drawn barcode, without empty rows around it: the library draws text only below bars. */
function belowBars(bitmap: Bitmap): Bitmap {
  const rowBytes = bitmap.width * 4;
  const row = (y: number) => bitmap.pixels.subarray(y * rowBytes, (y + 1) * rowBytes);
  const isEmpty = (y: number) => row(y).every((byte) => byte === 255);
  const bars = Buffer.from(row(0));
  let first = 1;
  while (first < bitmap.height && bars.equals(row(first))) first += 1;
  while (first < bitmap.height && isEmpty(first)) first += 1;
  let end = bitmap.height;
  while (end > first && isEmpty(end - 1)) end -= 1;
  if (end <= first) return blank(1, 1);
  return { width: bitmap.width, height: end - first, pixels: bitmap.pixels.slice(first * rowBytes, end * rowBytes) };
}
