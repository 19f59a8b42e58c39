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
  const barcodes = new Map<string, PictureBarcode>();
  const deadline = performance.now() + budgetMs;
  for (const pass of passes) {
    if ((pass.onlyLarger && longerSide <= passes[0]!.side) || (pass.onBlack && !size.hasAlpha)) {
      continue;
    }
    const picture = await draw(bytes, pass, longerSide).catch(() => undefined);
    if (!picture) {
      return undefined;
    }
    const countBefore = barcodes.size;
    for (const barcode of await readPicture(picture)) {
      if (pass.degrees === undefined || isSure(barcode)) {
        barcodes.set(barcode.text, barcodes.get(barcode.text) ?? barcode);
      }
    }
    if ((countBefore > 0 && barcodes.size === countBefore) || performance.now() > deadline) {
      break;
    }
  }
  const found = [...barcodes.values()];
  return found.filter((barcode) => !isPieceOf(barcode, found) && (found.length === 1 || barcode.format !== weakFormat));
}

const itf = 'ITF';

/** A format whose few bars also occur within other barcodes. */
const weakFormat = 'UPC-E';

/** A line across a turned ITF barcode reads as a shorter barcode; only a check digit (`]I1`) tells the two apart. */
function isSure({ format, symbology }: PictureBarcode): boolean {
  return format !== itf || symbology === ']I1';
}

function isPieceOf({ format, text }: PictureBarcode, barcodes: readonly PictureBarcode[]): boolean {
  return format === itf && barcodes.some((other) => other.text !== text && other.text.includes(text));
}

async function readPicture({ data, width, height }: GreyPicture): Promise<PictureBarcode[]> {
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let at = 0, to = 0; at < data.length; at += 1, to += 4) {
    rgba.fill(data[at]!, to, to + 4);
  }
  const results = await readBarcodes({ data: rgba, width, height, colorSpace: 'srgb' }, options);
  return results
    .filter(({ isValid }) => isValid)
    .toSorted((a, b) => a.position.topLeft.y - b.position.topLeft.y || a.position.topLeft.x - b.position.topLeft.x)
    .map(barcodeOf)
    .filter(({ text }) => text !== '');
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
