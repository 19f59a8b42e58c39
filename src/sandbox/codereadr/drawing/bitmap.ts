/** Bitmaps in memory: one byte each of red, green, blue and alpha, row by row. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  /** The picture's bytes, four per pixel. */
  readonly pixels: Uint8Array;
}

export function blank(width: number, height: number): Bitmap {
  return { width, height, pixels: new Uint8Array(width * height * 4).fill(255) };
}

/** Draws `source` on `target` at x, y with alpha blending; pixels outside `target` are clipped. */
export function paste(target: Bitmap, source: Bitmap, x: number, y: number): void {
  for (let row = Math.max(0, -y); row < source.height && y + row < target.height; row += 1) {
    for (let column = Math.max(0, -x); column < source.width && x + column < target.width; column += 1) {
      const from = (row * source.width + column) * 4;
      const to = ((y + row) * target.width + x + column) * 4;
      const opacity = (source.pixels[from + 3] as number) / 255;
      for (let channel = 0; channel < 3; channel += 1) {
        const over = source.pixels[from + channel] as number;
        const under = target.pixels[to + channel] as number;
        target.pixels[to + channel] = Math.round(over * opacity + under * (1 - opacity));
      }
    }
  }
}

/** Scales a picture down to fit a box, never up; each pixel is the average of its source area. */
export function shrinkTo(source: Bitmap, maxWidth: number, maxHeight: number): Bitmap {
  const factor = Math.min(1, maxWidth / source.width, maxHeight / source.height);
  if (factor === 1) return source;
  const width = Math.max(1, Math.floor(source.width * factor));
  const height = Math.max(1, Math.floor(source.height * factor));
  const shrunk = blank(width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      shrunk.pixels.set(
        average(source, x / factor, y / factor, (x + 1) / factor, (y + 1) / factor),
        (y * width + x) * 4,
      );
    }
  }
  return shrunk;
}

function average(source: Bitmap, left: number, top: number, right: number, bottom: number): number[] {
  const sums = [0, 0, 0, 0];
  let count = 0;
  for (
    let y = Math.floor(top);
    y < Math.min(source.height, Math.max(Math.floor(top) + 1, Math.floor(bottom)));
    y += 1
  ) {
    for (
      let x = Math.floor(left);
      x < Math.min(source.width, Math.max(Math.floor(left) + 1, Math.floor(right)));
      x += 1
    ) {
      for (let channel = 0; channel < 4; channel += 1) {
        sums[channel] = (sums[channel] as number) + (source.pixels[(y * source.width + x) * 4 + channel] as number);
      }
      count += 1;
    }
  }
  return sums.map((sum) => Math.round(sum / Math.max(1, count)));
}

/** A border of one pixel around the picture. */
export function drawFrame(bitmap: Bitmap): void {
  const { width, height, pixels } = bitmap;
  const dot = (x: number, y: number) => pixels.set([0, 0, 0, 255], (y * width + x) * 4);
  for (let x = 0; x < width; x += 1) {
    dot(x, 0);
    dot(x, height - 1);
  }
  for (let y = 0; y < height; y += 1) {
    dot(0, y);
    dot(width - 1, y);
  }
}
