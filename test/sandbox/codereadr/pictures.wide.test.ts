import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bitmap, shrinkTo } from '../../../src/sandbox/codereadr/drawing/bitmap.js';
import { decodePicture, encodePicture, PictureError } from '../../../src/sandbox/codereadr/drawing/picture.js';

/** A picture in up to `colors` shades, with soft and hard edges. */
function picture(width: number, height: number, colors: number): Bitmap {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const shade = Math.floor(((x + y) / (width + height)) * colors) * Math.floor(255 / colors);
      const inside = x > width / 3 && x < width / 2;
      pixels.set(inside ? [0, 0, 0, 255] : [shade, 255 - shade, (shade * 7) % 256, 255], (y * width + x) * 4);
    }
  }
  return { width, height, pixels };
}

function difference(one: Bitmap, two: Bitmap): { most: number; average: number } {
  expect([one.width, one.height]).toEqual([two.width, two.height]);
  let most = 0;
  let sum = 0;
  one.pixels.forEach((value, at) => {
    const apart = Math.abs(value - (two.pixels[at] as number));
    most = Math.max(most, apart);
    sum += apart;
  });
  return { most, average: sum / one.pixels.length };
}

const round = async (bitmap: Bitmap, type: 'GIF' | 'JPG' | 'PNG') =>
  decodePicture((await encodePicture(bitmap, type)).bytes);

describe('writing and reading', () => {
  it.each([
    [1, 1],
    [7, 3],
    [8, 8],
    [65, 33],
    [300, 200],
  ])('a PNG of %i by %i is the same after writing and reading', async (width, height) => {
    const made = picture(width, height, 255);
    expect(difference(await round(made, 'PNG'), made).most).toBe(0);
  });

  it.each([
    [1, 1, 2],
    [50, 40, 3],
    [640, 480, 100],
  ])('a GIF of %i by %i in few colors is the same after writing and reading', async (width, height, colors) => {
    const made = picture(width, height, colors);
    expect(difference(await round(made, 'GIF'), made).most).toBe(0);
  });

  it('a GIF of many colors is close to the original picture after writing and reading', async () => {
    const noisy = picture(120, 90, 4);
    noisy.pixels.forEach((value, at) => {
      if (at % 4 !== 3) noisy.pixels[at] = (value + at * 37) % 256;
    });
    expect(difference(await round(noisy, 'GIF'), noisy).most).toBeLessThanOrEqual(26);
  });

  it.each([
    [1, 1],
    [17, 9],
    [120, 90],
  ])('a JPG of %i by %i is close to the original picture after writing and reading', async (width, height) => {
    const made = picture(width, height, 100);
    expect(difference(await round(made, 'JPG'), made).average).toBeLessThan(5);
  });
});

/** A PNG by hand, for the kinds that the writer does not write. */
function png(
  header: { width: number; height: number; depth: number; color: number; interlaced?: boolean },
  rows: number[][],
  more: [string, number[]][] = [],
): Buffer {
  const chunk = (type: string, body: Uint8Array) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(header.width, 0);
  head.writeUInt32BE(header.height, 4);
  head.set([header.depth, header.color, 0, 0, header.interlaced ? 1 : 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    ...more.map(([type, body]) => chunk(type, Buffer.from(body))),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const pixelsOf = async (bytes: Buffer) => {
  const { pixels } = await decodePicture(bytes);
  return Array.from({ length: pixels.length / 4 }, (_, at) => [...pixels.subarray(at * 4, at * 4 + 4)]);
};

describe('a PNG', () => {
  it('a PNG in black and white is read with each pixel right', async () => {
    const bytes = png({ width: 3, height: 2, depth: 1, color: 0 }, [
      [0, 0b10100000],
      [0, 0b01000000],
    ]);
    expect((await pixelsOf(bytes)).map(([level]) => level)).toEqual([255, 0, 255, 0, 255, 0]);
  });

  it('a PNG with a palette is read with its colors and opacity', async () => {
    const palette: [string, number[]][] = [
      ['PLTE', [255, 0, 0, 0, 0, 255]],
      ['tRNS', [128]],
    ];
    const bytes = png({ width: 2, height: 1, depth: 4, color: 3 }, [[0, 0x01]], palette);
    expect(await pixelsOf(bytes)).toEqual([
      [255, 0, 0, 128],
      [0, 0, 255, 255],
    ]);
  });

  it('a PNG in gray with opacity and a PNG with sixteen bits a channel are read with their pixels right', async () => {
    expect(await pixelsOf(png({ width: 1, height: 1, depth: 8, color: 4 }, [[0, 77, 200]]))).toEqual([
      [77, 77, 77, 200],
    ]);
    expect(await pixelsOf(png({ width: 1, height: 1, depth: 16, color: 2 }, [[0, 1, 9, 2, 9, 3, 9]]))).toEqual([
      [1, 2, 3, 255],
    ]);
  });

  it('a PNG whose rows use each of the filter types is read with each pixel right', async () => {
    const rows = [
      [0, 10, 20, 30],
      [1, 10, 10, 10],
      [2, 5, 5, 5],
      [3, 5, 5, 5],
      [4, 1, 1, 1],
    ];
    const levels = (await pixelsOf(png({ width: 3, height: 5, depth: 8, color: 0 }, rows))).map(([level]) => level);
    expect(levels).toEqual([10, 20, 30, 10, 20, 30, 15, 25, 35, 12, 23, 34, 13, 24, 35]);
  });

  it('an interlaced PNG is read with each pixel in place', async () => {
    // Of three by three pixels the first pass has one, the second and third none, and the rest share the others.
    const passes = [
      [0, 1],
      [0, 3],
      [0, 7, 9],
      [0, 2],
      [0, 8],
      [0, 4, 5, 6],
    ];
    const levels = (await pixelsOf(png({ width: 3, height: 3, depth: 8, color: 0, interlaced: true }, passes))).map(
      ([level]) => level,
    );
    expect(levels).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

/** A JPG that a browser wrote: red, blue and green fields, with colors at half the resolution. */
const fields = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABh' +
    'Y3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
    'AAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAAB' +
    'UAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAA' +
    'AAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9Y' +
    'WVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAM' +
    'ZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYI' +
    'DAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQU' +
    'FBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAQABgDASIAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAAYH' +
    'CP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAXAQADAQAAAAAAAAAAAAAAAAAFBgcI/8QAIREAAQEHBQAAAAAAAAAAAAAAAAcWF0RF' +
    'Y4PDZaKj4uP/2gAMAwEAAhEDEQA/AMMTSlTR/R6PtZCoLTL7uMDrUD32ady+ZiRrKG7qf//Z',
  'base64',
);

const segment = (marker: number, ...body: number[]) => [0xff, marker, 0, body.length + 2, ...body];

/** A segment with one Huffman table: how many codes there are of each length, then the codes' values. */
const table = (id: number, lengths: readonly number[], values: readonly number[]) =>
  segment(0xc4, id, ...lengths, ...Array<number>(16 - lengths.length).fill(0), ...values);

/** Eight by eight in gray, in four scans, by hand: DC 40 doubled plus 1, the first AC 20 doubled plus 1, the second -1. */
const progressive = Buffer.from([
  ...[0xff, 0xd8],
  ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
  ...segment(0xc2, 8, 0, 8, 0, 8, 1, 1, 0x11, 0),
  ...[...table(0x00, [1], [6]), ...segment(0xda, 1, 1, 0x00, 0, 0, 0x01), 0b01010001],
  ...[...segment(0xda, 1, 1, 0x00, 0, 0, 0x10), 0xff, 0x00],
  ...[...table(0x10, [1, 1], [0x05, 0x00]), ...segment(0xda, 1, 1, 0x00, 1, 63, 0x01), 0b01010010],
  ...[...table(0x10, [1, 1], [0x01, 0x00]), ...segment(0xda, 1, 1, 0x00, 1, 63, 0x10), 0b00110111],
  ...[0xff, 0xd9],
]);

describe('a JPG', () => {
  it('a JPG that a browser wrote is read with its colors in place', async () => {
    const { width, height, pixels } = await decodePicture(fields);
    expect([width, height]).toEqual([24, 16]);
    const at = (x: number, y: number) => [...pixels.subarray((y * 24 + x) * 4, (y * 24 + x) * 4 + 3)];
    const near = (found: number[], wanted: number[]) => {
      for (const [channel, value] of found.entries()) {
        expect(Math.abs(value - (wanted[channel] as number))).toBeLessThan(40);
      }
    };
    near(at(3, 8), [0xd0, 0x20, 0x20]);
    near(at(12, 3), [0x20, 0x40, 0xd0]);
    near(at(20, 13), [0x20, 0xd0, 0x40]);
  });

  it('a progressive JPG is read with each gray level right to within 1 of 255', async () => {
    const { pixels } = await decodePicture(progressive);
    for (let y = 0; y < 8; y += 1) {
      for (let x = 0; x < 8; x += 1) {
        const wave = (place: number) => Math.cos(((2 * place + 1) * Math.PI) / 16) * 0.5 * (0.5 / Math.SQRT2);
        const level = pixels[(y * 8 + x) * 4] as number;
        expect(Math.abs(level - (128 + 81 / 8 + 41 * wave(x) - wave(y)))).toBeLessThanOrEqual(1);
      }
    }
  });
});

describe('what is no picture', () => {
  it('reading any bytes as a picture fails with no error but a PictureError', async () => {
    const start = fc.constantFrom(
      [],
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
      [...Buffer.from('GIF89a')],
      [0xff, 0xd8],
    );
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ maxLength: 200 }), async (beginning, rest) => {
        try {
          await decodePicture(Buffer.from([...beginning, ...rest]));
        } catch (error) {
          expect(error).toBeInstanceOf(PictureError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('reading a broken or cut picture fails with no error but a PictureError', async () => {
    for (const type of ['GIF', 'JPG', 'PNG'] as const) {
      const whole = (await encodePicture(picture(40, 30, 9), type)).bytes;
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (at, byte, cut) => {
          const broken = cut ? whole.subarray(0, at) : Buffer.from(whole);
          if (!cut) broken[at] = byte;
          try {
            await decodePicture(broken);
          } catch (error) {
            expect(error).toBeInstanceOf(PictureError);
          }
        }),
        { numRuns: 200 },
      );
    }
  });

  it('a picture whose header states a huge size is refused', async () => {
    const bytes = png({ width: 60_000, height: 60_000, depth: 8, color: 0 }, [[0]]);
    await expect(decodePicture(bytes)).rejects.toThrow(PictureError);
  });
});

it('a picture is shrunk to fit a given size and never enlarged', () => {
  const made = picture(100, 50, 9);
  expect(shrinkTo(made, 50, 50)).toMatchObject({ width: 50, height: 25 });
  expect(shrinkTo(made, 500, 500)).toBe(made);
  expect(shrinkTo(made, 1, 1)).toMatchObject({ width: 1, height: 1 });
});
