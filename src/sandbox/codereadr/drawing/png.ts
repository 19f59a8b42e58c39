/** The PNG codec: writes true color, reads every color type of the standard, interlaced ones too. */
import { deflateSync, inflateSync } from 'node:zlib';
import { type Bitmap, checkSize, mostPixels, PictureError } from './bitmap.js';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
  let crc = n;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc >>> 0;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 255] as number) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(8 + body.length);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), 4 + body.length);
  return framed;
}

export function encodePng({ width, height, pixels }: Bitmap): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 4;
      rows.set(pixels.subarray(from, from + 3), y * (1 + width * 3) + 1 + x * 3);
    }
  }
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly color: number;
  readonly interlaced: boolean;
}

const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** @throws PictureError */
export function decodePng(bytes: Buffer): Bitmap {
  if (!bytes.subarray(0, 8).equals(signature)) throw new PictureError('no PNG');
  let header: Header | undefined;
  let palette: Buffer = Buffer.alloc(0);
  let opacity: Buffer = Buffer.alloc(0);
  const data: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = readHeader(body);
    else if (type === 'PLTE') palette = body;
    else if (type === 'tRNS') opacity = body;
    else if (type === 'IDAT') data.push(body);
    else if (type === 'IEND') break;
    at += 12 + length;
  }
  if (!header || data.length === 0) throw new PictureError('a PNG without a picture');
  const raw = inflate(Buffer.concat(data));
  const bitmap: Bitmap = {
    width: header.width,
    height: header.height,
    pixels: new Uint8Array(header.width * header.height * 4),
  };
  const passes = header.interlaced ? adam7 : [{ x: 0, y: 0, dx: 1, dy: 1 }];
  let at = 0;
  for (const pass of passes) at = readPass(header, raw, at, pass, bitmap, { palette, opacity });
  return bitmap;
}

function readHeader(body: Buffer): Header {
  if (body.length < 13) throw new PictureError('a broken PNG');
  const header = {
    width: body.readUInt32BE(0),
    height: body.readUInt32BE(4),
    depth: body[8] as number,
    color: body[9] as number,
    interlaced: body[12] === 1,
  };
  checkSize(header.width, header.height);
  if (!channelsOf[header.color] || ![1, 2, 4, 8, 16].includes(header.depth)) throw new PictureError('a broken PNG');
  return header;
}

function inflate(data: Buffer): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: mostPixels * 9 });
  } catch {
    throw new PictureError('a broken PNG');
  }
}

interface Pass {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
}

const adam7: readonly Pass[] = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
];

function readPass(
  header: Header,
  raw: Buffer,
  start: number,
  pass: Pass,
  bitmap: Bitmap,
  colors: { palette: Buffer; opacity: Buffer },
): number {
  const columns = Math.ceil((header.width - pass.x) / pass.dx);
  const rows = Math.ceil((header.height - pass.y) / pass.dy);
  if (columns <= 0 || rows <= 0) return start;
  const channels = channelsOf[header.color] as number;
  const bytesPerPixel = Math.max(1, (channels * header.depth) >> 3);
  const stride = Math.ceil((columns * channels * header.depth) / 8);
  let before = Buffer.alloc(stride);
  let at = start;
  for (let row = 0; row < rows; row += 1) {
    if (at + 1 + stride > raw.length) throw new PictureError('a PNG that is cut off');
    const line = Buffer.from(raw.subarray(at + 1, at + 1 + stride));
    unfilter(raw[at] as number, line, before, bytesPerPixel);
    for (let column = 0; column < columns; column += 1) {
      const to = ((pass.y + row * pass.dy) * header.width + pass.x + column * pass.dx) * 4;
      bitmap.pixels.set(pixelOf(header, line, column, colors), to);
    }
    before = line;
    at += 1 + stride;
  }
  return at;
}

function unfilter(kind: number, line: Buffer, before: Buffer, step: number): void {
  if (kind > 4) throw new PictureError('a broken PNG');
  for (let at = 0; at < line.length; at += 1) {
    const left = at >= step ? (line[at - step] as number) : 0;
    const up = before[at] as number;
    const corner = at >= step ? (before[at - step] as number) : 0;
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind] as number;
    line[at] = ((line[at] as number) + guess) & 255;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function pixelOf(
  { color, depth }: Header,
  line: Buffer,
  column: number,
  { palette, opacity }: { palette: Buffer; opacity: Buffer },
): readonly number[] {
  const channels = channelsOf[color] as number;
  const sample = (channel: number): number => {
    const index = column * channels + channel;
    if (depth === 8) return line[index] as number;
    if (depth === 16) return line[index * 2] as number;
    const bit = index * depth;
    return ((line[bit >> 3] as number) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
  };
  if (color === 3) {
    const index = sample(0);
    return [...palette.subarray(index * 3, index * 3 + 3), opacity[index] ?? 255];
  }
  const full = depth < 8 ? 255 / ((1 << depth) - 1) : 1;
  const gray = sample(0) * full;
  if (color === 0) return [gray, gray, gray, 255];
  if (color === 4) return [gray, gray, gray, sample(1)];
  return [sample(0), sample(1), sample(2), color === 6 ? sample(3) : 255];
}
