/**
 * Pictures of barcodes for the bench and the tests, drawn by libzint (in zxing-wasm's writer), not by what the sandbox
 * draws with (bwip-js) or the app reads with (zxing-cpp). A photo is a sheet turned, blurred, scaled, noisy, as JPEG.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { prepareZXingModule, type WriterOptions, writeBarcode } from 'zxing-wasm/writer';

export interface Drawn {
  readonly format: NonNullable<WriterOptions['format']>;
  readonly text: string;
  readonly options?: string;
}

const writer = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm');
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(writer)).buffer } });

/** One symbol as a PNG, with its quiet zone. `scale`: pixels a module. */
export async function drawSymbol({ format, text, options }: Drawn, scale = 4): Promise<Buffer> {
  const drawn = await writeBarcode(text, { format, scale, ...(options ? { options } : {}) });
  if (!drawn.image) {
    throw new Error(`${format} of ${text}: ${drawn.error}`);
  }
  return Buffer.from(await drawn.image.arrayBuffer());
}

export interface Condition {
  readonly degrees?: number;
  readonly blur?: number;
  /** The factor by which the turned and blurred picture is scaled. */
  readonly scale?: number;
  readonly jpeg?: number;
  /** The standard deviation of grey noise, of 255. */
  readonly noise?: number;
}

const paper = { r: 236, g: 233, b: 226 };

/** The photo of a sheet with the symbols one below the other. */
export async function photograph(symbols: readonly Buffer[], how: Condition = {}): Promise<Buffer> {
  const sizes = await Promise.all(symbols.map(async (symbol) => sharp(symbol).metadata()));
  const gap = 60;
  const width = Math.max(...sizes.map((size) => size.width)) + 2 * gap;
  const height = sizes.reduce((sum, size) => sum + size.height + gap, gap);
  let top = gap;
  const layers = symbols.map((input, n) => {
    const layer = { input, left: Math.round((width - sizes[n]!.width) / 2), top };
    top += sizes[n]!.height + gap;
    return layer;
  });
  const sheet = sharp({ create: { width, height, channels: 3, background: paper } }).composite(layers);
  let picture = sharp(await sheet.png().toBuffer());
  if (how.degrees) {
    picture = sharp(
      await picture
        .rotate(how.degrees, { background: { r: 120, g: 124, b: 130 } })
        .png()
        .toBuffer(),
    );
  }
  if (how.blur) {
    picture = sharp(await picture.blur(how.blur).png().toBuffer());
  }
  if (how.scale) {
    const { width: now } = await picture.metadata();
    picture = sharp(
      await picture
        .resize({ width: Math.round(now * how.scale) })
        .png()
        .toBuffer(),
    );
  }
  if (how.noise) {
    const { width: w, height: h } = await picture.metadata();
    const noise = await sharp({
      create: {
        width: w,
        height: h,
        channels: 3,
        background: paper,
        noise: { type: 'gaussian', mean: 128, sigma: how.noise },
      },
    })
      .png()
      .toBuffer();
    picture = sharp(
      await picture
        .composite([{ input: noise, blend: 'soft-light' }])
        .png()
        .toBuffer(),
    );
  }
  return how.jpeg ? picture.jpeg({ quality: how.jpeg }).toBuffer() : picture.png().toBuffer();
}
