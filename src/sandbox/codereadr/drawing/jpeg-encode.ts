/** The JPEG encoder: baseline, no chroma subsampling, a quality that keeps barcodes sharp. */
import type { Bitmap } from './bitmap.js';
import { chrominance, luminance, zigzag } from './jpeg-tables.js';

/** The factor on the standard's quantization tables: smaller numbers keep more. */
const coarseness = 0.16;

/** Code lengths and values of the standard's typical Huffman tables (ITU-T T.81, annex K.3). */
const dcLengths = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0] as const;
const dcValues = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const;
const acLengths = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d] as const;
const acValues = Buffer.from(
  '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a34353637' +
    '38393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3' +
    'a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
  'hex',
);

interface Code {
  readonly code: number;
  readonly length: number;
}

function codesOf(lengths: readonly number[], values: ArrayLike<number>): Code[] {
  const codes: Code[] = [];
  let code = 0;
  let at = 0;
  lengths.forEach((count, index) => {
    for (let n = 0; n < count; n += 1) {
      codes[values[at] as number] = { code, length: index + 1 };
      code += 1;
      at += 1;
    }
    code <<= 1;
  });
  return codes;
}

const dcCodes = codesOf(dcLengths, dcValues);
const acCodes = codesOf(acLengths, acValues);

const cosines = Array.from({ length: 8 }, (_, u) =>
  Array.from({ length: 8 }, (__, x) => Math.cos(((2 * x + 1) * u * Math.PI) / 16) * (u === 0 ? Math.SQRT1_2 : 1) * 0.5),
);

export function encodeJpeg(bitmap: Bitmap): Uint8Array {
  const quantizers = [luminance, chrominance].map((table) =>
    table.map((step) => Math.min(255, Math.max(1, Math.round(step * coarseness)))),
  );
  return Buffer.concat([headers(bitmap, quantizers), scan(bitmap, quantizers), Buffer.from([0xff, 0xd9])]);
}

function segment(marker: number, body: readonly number[]): Buffer {
  return Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255, ...body]);
}

function headers({ width, height }: Bitmap, quantizers: readonly (readonly number[])[]): Buffer {
  const components = [1, 2, 3].flatMap((id) => [id, 0x11, id === 1 ? 0 : 1]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...Buffer.from('JFIF\0', 'latin1'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...quantizers.map((table, index) => segment(0xdb, [index, ...zigzag.map((place) => table[place] as number)])),
    segment(0xc0, [8, height >> 8, height & 255, width >> 8, width & 255, 3, ...components]),
    segment(0xc4, [0x00, ...dcLengths, ...dcValues]),
    segment(0xc4, [0x10, ...acLengths, ...acValues]),
    segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
  ]);
}

function scan(bitmap: Bitmap, quantizers: readonly (readonly number[])[]): Buffer {
  const writer = createWriter();
  const before = [0, 0, 0];
  for (let y = 0; y < bitmap.height; y += 8) {
    for (let x = 0; x < bitmap.width; x += 8) {
      for (let component = 0; component < 3; component += 1) {
        const levels = quantize(
          transform(blockOf(bitmap, x, y, component)),
          quantizers[component === 0 ? 0 : 1] as number[],
        );
        writeBlock(writer, levels, before[component] as number);
        before[component] = levels[0] as number;
      }
    }
  }
  return writer.end();
}

/** Eight by eight samples of one component; beyond the edge the last ones are repeated. */
function blockOf({ width, height, pixels }: Bitmap, left: number, top: number, component: number): number[] {
  return Array.from({ length: 64 }, (_, index) => {
    const x = Math.min(width - 1, left + (index & 7));
    const y = Math.min(height - 1, top + (index >> 3));
    const at = (y * width + x) * 4;
    const [r, g, b] = [pixels[at] as number, pixels[at + 1] as number, pixels[at + 2] as number];
    if (component === 0) return 0.299 * r + 0.587 * g + 0.114 * b - 128;
    if (component === 1) return -0.168736 * r - 0.331264 * g + 0.5 * b;
    return 0.5 * r - 0.418688 * g - 0.081312 * b;
  });
}

function transform(block: readonly number[]): number[] {
  const half = Array.from({ length: 64 }, (_, index) => {
    const [row, u] = [index >> 3, index & 7];
    return (cosines[u] as number[]).reduce((sum, cosine, x) => sum + cosine * (block[row * 8 + x] as number), 0);
  });
  return Array.from({ length: 64 }, (_, index) => {
    const [v, u] = [index >> 3, index & 7];
    return (cosines[v] as number[]).reduce((sum, cosine, y) => sum + cosine * (half[y * 8 + u] as number), 0);
  });
}

/** In zigzag order. */
function quantize(values: readonly number[], table: readonly number[]): number[] {
  return zigzag.map((place) => Math.round((values[place] as number) / (table[place] as number)));
}

function writeBlock(writer: Writer, levels: readonly number[], before: number): void {
  writeLevel(writer, dcCodes, 0, (levels[0] as number) - before);
  let zeros = 0;
  for (let at = 1; at < 64; at += 1) {
    const level = levels[at] as number;
    if (level === 0) {
      zeros += 1;
      continue;
    }
    for (; zeros > 15; zeros -= 16) writer.put(acCodes[0xf0] as Code);
    writeLevel(writer, acCodes, zeros, level);
    zeros = 0;
  }
  if (zeros > 0) writer.put(acCodes[0] as Code);
}

function writeLevel(writer: Writer, codes: readonly Code[], zeros: number, level: number): void {
  const length = level === 0 ? 0 : Math.floor(Math.log2(Math.abs(level))) + 1;
  writer.put(codes[(zeros << 4) | length] as Code);
  if (length > 0) writer.put({ code: level > 0 ? level : level + (1 << length) - 1, length });
}

interface Writer {
  put(code: Code): void;
  end(): Buffer;
}

function createWriter(): Writer {
  const out: number[] = [];
  let buffer = 0;
  let filled = 0;
  const byte = (value: number) => {
    out.push(value);
    if (value === 255) out.push(0);
  };
  const put = ({ code, length }: Code) => {
    buffer = (buffer << length) | code;
    filled += length;
    while (filled >= 8) {
      filled -= 8;
      byte((buffer >> filled) & 255);
    }
    buffer &= (1 << filled) - 1;
  };
  return {
    put,
    end: () => {
      if (filled > 0) put({ code: (1 << (8 - filled)) - 1, length: 8 - filled });
      return Buffer.from(out);
    },
  };
}
