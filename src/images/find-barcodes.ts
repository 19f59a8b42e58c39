/**
 * All barcodes of one picture: passes go on while they find new barcodes, or none was found, until the time is over.
 * This code runs in the worker thread.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  formatToLabel,
  prepareZXingModule,
  type ReaderOptions,
  type ReadResult,
  readBarcodes,
} from 'zxing-wasm/reader';
import { draw, type GreyPicture, mostPixels, type PictureSize, passes, sizeOf } from './passes.js';
import { pictureKind } from './picture-kind.js';
import { mostPictureBytes, type PictureBarcode, type PictureResult } from './types.js';

/** How long a picture is searched: no pass begins later. */
const budgetMs = 8_000;

const options: ReaderOptions = {
  formats: [
    'QRCode',
    'MicroQRCode',
    'DataMatrix',
    'AztecCode',
    'PDF417',
    'EAN13',
    'EAN8',
    'UPCA',
    'UPCE',
    'Code39',
    'Code93',
    'Code128',
    'ITF',
    'Codabar',
    'DataBar',
    'DataBarLtd',
    'DataBarExp',
  ],
  tryHarder: true,
  // A linear barcode is believed when that many lines across it agree.
  minLineCount: 3,
  textMode: 'Plain',
  maxNumberOfSymbols: 50,
};

let isPrepared = false;

/** Loads zxing-wasm from the package on disk: by default, it downloads its code. */
function prepare(): void {
  if (!isPrepared) {
    const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
    const wasm = readFileSync(file);
    const wasmBinary = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer;
    prepareZXingModule({ overrides: { wasmBinary } });
    isPrepared = true;
  }
}

export async function findBarcodes(bytes: Uint8Array): Promise<PictureResult> {
  const kind = pictureKind(bytes);
  if (kind === undefined || kind === 'heic') {
    return { kind: 'refused', why: kind ?? 'format' };
  }
  if (bytes.byteLength > mostPictureBytes) {
    return { kind: 'refused', why: 'too_large' };
  }
  const size = await sizeOf(bytes).catch(() => undefined);
  if (size && size.width * size.height > mostPixels) {
    return { kind: 'refused', why: 'too_large' };
  }
  const barcodes = size && (await readInPasses(bytes, size));
  return barcodes ? { kind: 'read', barcodes } : { kind: 'refused', why: 'broken' };
}

/** The barcodes found by the passes, without pieces of others; undefined where the picture cannot be decoded. */
async function readInPasses(bytes: Uint8Array, size: PictureSize): Promise<readonly PictureBarcode[] | undefined> {
  prepare();
  const longerSide = Math.max(size.width, size.height);
  const symbols = new Map<string, PictureSymbol>();
  const deadline = performance.now() + budgetMs;
  for (const pass of passes) {
    if ((pass.onlyLarger && longerSide <= passes[0]!.side) || (pass.onBlack && !size.hasAlpha)) {
      continue;
    }
    const picture = await draw(bytes, pass, longerSide).catch(() => undefined);
    if (!picture) {
      return undefined;
    }
    const countBefore = symbols.size;
    for (const symbol of await readPicture(picture)) {
      if (pass.degrees === undefined || isSureTurned(symbol)) {
        symbols.set(symbol.barcode.text, symbols.get(symbol.barcode.text) ?? symbol);
      }
    }
    if ((countBefore > 0 && symbols.size === countBefore) || performance.now() > deadline) {
      break;
    }
  }
  const found = [...symbols.values()];
  return found.filter((symbol) => !isPiece(symbol, found)).map(({ barcode }) => barcode);
}

interface PictureSymbol {
  readonly barcode: PictureBarcode;
  /** Its corners as parts of the picture's width and height. */
  readonly corners: readonly { readonly x: number; readonly y: number }[];
}

const itf = 'ITF';
const upcE = 'UPC-E';

/**
 * A line across a turned ITF barcode reads as a shorter barcode; only a check digit (`]I1`) tells the two apart. A UPC-E
 * is told from a piece of another barcode by its place, and places of turned pictures cannot be compared.
 */
function isSureTurned({ barcode: { format, symbology } }: PictureSymbol): boolean {
  return format !== upcE && (format !== itf || symbology === ']I1');
}

/** Whether a symbol is read from bars of another one: as ITF from its digits, as UPC-E from anywhere within it. */
function isPiece(symbol: PictureSymbol, symbols: readonly PictureSymbol[]): boolean {
  const { format, text } = symbol.barcode;
  const others = symbols.filter((other) => other !== symbol);
  return format === itf
    ? others.some(({ barcode }) => barcode.text.includes(text))
    : format === upcE && others.some((other) => touches(symbol, other));
}

/** Whether the upright frames around two symbols meet. */
function touches(one: PictureSymbol, other: PictureSymbol): boolean {
  return (['x', 'y'] as const).every((axis) => {
    const [from, to] = frameOf(one, axis);
    const [otherFrom, otherTo] = frameOf(other, axis);
    return from <= otherTo && otherFrom <= to;
  });
}

function frameOf({ corners }: PictureSymbol, axis: 'x' | 'y'): readonly [from: number, to: number] {
  const places = corners.map((corner) => corner[axis]);
  return [Math.min(...places), Math.max(...places)];
}

async function readPicture({ data, width, height }: GreyPicture): Promise<PictureSymbol[]> {
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let at = 0, to = 0; at < data.length; at += 1, to += 4) {
    rgba.fill(data[at]!, to, to + 4);
  }
  const results = await readBarcodes({ data: rgba, width, height, colorSpace: 'srgb' }, options);
  return results
    .filter(({ isValid }) => isValid)
    .toSorted((a, b) => a.position.topLeft.y - b.position.topLeft.y || a.position.topLeft.x - b.position.topLeft.x)
    .map((result) => {
      const { topLeft, topRight, bottomLeft, bottomRight } = result.position;
      const corners = [topLeft, topRight, bottomLeft, bottomRight].map(({ x, y }) => ({ x: x / width, y: y / height }));
      return { barcode: barcodeOf(result), corners };
    })
    .filter(({ barcode }) => barcode.text !== '');
}

/** A barcode of a result. An EAN-13 with a zero in front is a UPC-A: 12 digits are printed below it. */
function barcodeOf(result: ReadResult): PictureBarcode {
  const text = textOf(result);
  const { format, symbologyIdentifier: symbology } = result;
  return format === 'EAN13' && text.startsWith('0')
    ? { text: text.slice(1), format: 'UPC-A', symbology }
    : { text, format: formatToLabel(format) ?? format, symbology };
}

/** Without an ECI, which names a character set, bytes are UTF-8 if they can be: the reader guesses others for some. */
function textOf({ bytes, text, hasECI }: ReadResult): string {
  if (hasECI) {
    return text;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return text;
  }
}
