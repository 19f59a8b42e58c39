/**
 * The JPEG decoder: baseline and progressive, one or three components, any subsampling, restart markers. Arithmetic
 * coding, lossless and CMYK are rejected.
 */
import { type Bitmap, checkSize, PictureError } from './bitmap.js';
import { type Component, type Frame, type Huffman, mostOf, readScan, scanOf } from './jpeg-scan.js';
import { zigzag } from './jpeg-tables.js';

/** @throws PictureError */
export function decodeJpeg(bytes: Buffer): Bitmap {
  try {
    return decode(bytes);
  } catch (error) {
    throw error instanceof PictureError ? error : new PictureError('a broken JPEG');
  }
}

function decode(bytes: Buffer): Bitmap {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new PictureError('no JPEG');
  const quantizers: number[][] = [];
  const huffman: Huffman[] = [];
  let frame: Frame | undefined;
  let restarts = 0;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) throw new PictureError('a broken JPEG');
    const marker = bytes[at + 1] as number;
    if (marker === 0xd9) break;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    const body = bytes.subarray(at + 4, at + 2 + length);
    at += 2 + length;
    if (marker === 0xdb) readQuantizers(body, quantizers);
    else if (marker === 0xc4) readHuffman(body, huffman);
    else if (marker === 0xdd) restarts = body.readUInt16BE(0);
    else if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2) frame = readFrame(body, marker === 0xc2);
    else if (marker > 0xc2 && marker < 0xd0 && marker !== 0xc8 && marker !== 0xcc) {
      throw new PictureError('a kind of JPEG that is not read');
    } else if (marker === 0xda) {
      if (!frame) throw new PictureError('a broken JPEG');
      at = readScan(bytes, at, frame, scanOf(body, frame, huffman), restarts);
    }
  }
  if (!frame) throw new PictureError('a JPEG without a picture');
  return paint(frame, quantizers);
}

function readQuantizers(body: Buffer, into: number[][]): void {
  for (let at = 0; at < body.length; ) {
    const wide = (body[at] as number) >> 4 === 1;
    const table: number[] = [];
    const id = (body[at] as number) & 15;
    at += 1;
    for (const place of zigzag) {
      table[place] = wide ? body.readUInt16BE(at) : body.readUInt8(at);
      at += wide ? 2 : 1;
    }
    into[id] = table;
  }
}

function readHuffman(body: Buffer, into: Huffman[]): void {
  for (let at = 0; at + 17 <= body.length; ) {
    const id = body[at] as number;
    const codes = new Map<number, number>();
    let code = 0;
    let value = at + 17;
    for (let length = 1; length <= 16; length += 1) {
      for (let n = 0; n < (body[at + length] as number); n += 1) {
        codes.set((length << 16) | code, body.readUInt8(value));
        code += 1;
        value += 1;
      }
      code <<= 1;
    }
    into[id] = codes;
    at = value;
  }
}

function readFrame(body: Buffer, progressive: boolean): Frame {
  const [height, width, count] = [body.readUInt16BE(1), body.readUInt16BE(3), body.readUInt8(5)];
  checkSize(width, height);
  if (body[0] !== 8 || (count !== 1 && count !== 3)) throw new PictureError('a kind of JPEG that is not read');
  const given = Array.from({ length: count }, (_, index) => {
    const sampling = body.readUInt8(7 + index * 3);
    return {
      id: body.readUInt8(6 + index * 3),
      h: sampling >> 4,
      v: sampling & 15,
      quantizer: body.readUInt8(8 + index * 3),
    };
  });
  if (given.some(({ h, v }) => h < 1 || h > 4 || v < 1 || v > 4)) throw new PictureError('a broken JPEG');
  const [mostH, mostV] = [Math.max(...given.map(({ h }) => h)), Math.max(...given.map(({ v }) => v))];
  const unitColumns = Math.ceil(width / (8 * mostH));
  const unitRows = Math.ceil(height / (8 * mostV));
  const components = given.map((component) => {
    const [columns, rows] = [unitColumns * component.h, unitRows * component.v];
    return { ...component, columns, rows, blocks: new Int32Array(columns * rows * 64), dc: 0 };
  });
  return { width, height, progressive, components, unitColumns, unitRows };
}

const cosines = Float64Array.from({ length: 64 }, (_, index) => {
  const [x, u] = [index >> 3, index & 7];
  return Math.cos(((2 * x + 1) * u * Math.PI) / 16) * (u === 0 ? Math.SQRT1_2 : 1) * 0.5;
});

/** The samples of one component, a byte each, as wide as its blocks. */
function planeOf(component: Component, quantizer: readonly number[] | undefined): Uint8Array {
  if (!quantizer) throw new PictureError('a broken JPEG');
  const width = component.columns * 8;
  const plane = new Uint8Array(width * component.rows * 8);
  const half = new Float64Array(64);
  for (let index = 0; index < component.columns * component.rows; index += 1) {
    const block = component.blocks.subarray(index * 64, index * 64 + 64);
    for (let v = 0; v < 8; v += 1) {
      for (let x = 0; x < 8; x += 1) {
        let sum = 0;
        for (let u = 0; u < 8; u += 1) {
          const level = block[v * 8 + u] as number;
          if (level !== 0) sum += level * (quantizer[v * 8 + u] as number) * (cosines[x * 8 + u] as number);
        }
        half[v * 8 + x] = sum;
      }
    }
    const corner = Math.floor(index / component.columns) * 8 * width + (index % component.columns) * 8;
    for (let y = 0; y < 8; y += 1) {
      for (let x = 0; x < 8; x += 1) {
        let sum = 0;
        for (let v = 0; v < 8; v += 1) sum += (half[v * 8 + x] as number) * (cosines[y * 8 + v] as number);
        plane[corner + y * width + x] = Math.min(255, Math.max(0, Math.round(sum + 128)));
      }
    }
  }
  return plane;
}

function paint(frame: Frame, quantizers: readonly number[][]): Bitmap {
  const { width, height, components } = frame;
  const planes = components.map((component) => planeOf(component, quantizers[component.quantizer]));
  const [mostH, mostV] = [mostOf(frame, 'h'), mostOf(frame, 'v')];
  const pixels = new Uint8Array(width * height * 4);
  const byte = (value: number) => Math.min(255, Math.max(0, Math.round(value)));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const values = components.map(({ h, v, columns }, index) => {
        const row = Math.floor((y * v) / mostV);
        return (planes[index] as Uint8Array)[row * columns * 8 + Math.floor((x * h) / mostH)] as number;
      });
      const [light = 0, blue = 128, red = 128] = values;
      pixels.set(
        [
          byte(light + 1.402 * (red - 128)),
          byte(light - 0.344136 * (blue - 128) - 0.714136 * (red - 128)),
          byte(light + 1.772 * (blue - 128)),
          255,
        ],
        (y * width + x) * 4,
      );
    }
  }
  return { width, height, pixels };
}
