/**
 * The picture benchmark: how many barcodes of each kind of picture are read exactly, how many are read wrongly, and how
 * long a picture takes; all through the worker.
 */
import { systemClock } from '../../src/clock.js';
import { createPictureReader } from '../../src/images/index.js';
import { silentLog } from '../../src/log.js';
import { type Condition, type Drawn, drawSymbol, photograph } from './drawn-pictures.js';
import { median, percentile, type Row } from './figures.js';

const perFormat = 9;

/** Makes random texts of given characters and length, the same in each run. */
function texts(): (from: string, length: number) => string {
  let state = 20_261_123;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return (from, length) => Array.from({ length }, () => from[next(from.length)]).join('');
}

const digits = '0123456789';
const capitals = `${digits}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;
const letters = `${capitals}abcdefghijklmnopqrstuvwxyz-/.`;

function withCheckDigit(body: string): string {
  const sum = [...body].reverse().reduce((all, digit, n) => all + Number(digit) * (n % 2 === 0 ? 3 : 1), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

function drawn(): Drawn[] {
  const text = texts();
  const kinds: Record<string, () => Drawn> = {
    QRCode: () => ({ format: 'QRCode', text: text(letters, 24) }),
    DataMatrix: () => ({ format: 'DataMatrix', text: text(letters, 18) }),
    AztecCode: () => ({ format: 'AztecCode', text: text(letters, 20) }),
    PDF417: () => ({ format: 'PDF417', text: text(letters, 24) }),
    EAN13: () => ({ format: 'EAN13', text: withCheckDigit(`4${text(digits, 11)}`) }),
    EAN8: () => ({ format: 'EAN8', text: withCheckDigit(text(digits, 7)) }),
    UPCA: () => ({ format: 'UPCA', text: withCheckDigit(text(digits, 11)) }),
    Code39: () => ({ format: 'Code39', text: text(capitals, 10) }),
    Code93: () => ({ format: 'Code93', text: text(capitals, 12) }),
    Code128: () => ({ format: 'Code128', text: text(letters, 14) }),
    ITF: () => ({ format: 'ITF', text: withCheckDigit(text(digits, 13)) }),
    Codabar: () => ({ format: 'Codabar', text: `A${text(digits, 10)}B` }),
  };
  return Object.values(kinds).flatMap((kind) => Array.from({ length: perFormat }, kind));
}

const conditions: readonly (readonly [name: string, how: (n: number) => Condition, together?: number])[] = [
  ['upright', () => ({})],
  ['upright, as JPEG with noise', () => ({ jpeg: 60, noise: 12 })],
  ['turned by up to 15 degrees', (n) => ({ degrees: ((n * 7) % 31) - 15, jpeg: 80 })],
  ['blurred', () => ({ blur: 2.2, jpeg: 80 })],
  ['turned by up to 15 degrees and blurred', (n) => ({ degrees: ((n * 7) % 31) - 15, blur: 1.8, jpeg: 75, noise: 8 })],
  ['reduced to half', () => ({ scale: 0.5, jpeg: 80 })],
  ['enlarged to four times', () => ({ scale: 4, jpeg: 80 })],
  ['four in one picture', () => ({ jpeg: 80 }), 4],
];

export async function benchPictures(figures: Map<string, number>): Promise<Row[]> {
  const reader = createPictureReader({ clock: systemClock, log: silentLog });
  const all = drawn();
  const symbols = await Promise.all(all.map((one) => drawSymbol(one)));
  const rows: Row[] = [];
  try {
    for (const [name, how, together = 1] of conditions) {
      let [exact, wrong] = [0, 0];
      const missed = new Map<string, number>();
      const misread: string[] = [];
      const tookMs: number[] = [];
      // The order steps from format to format, so that the symbols of one picture are of different kinds.
      const order = all.map(
        (_, n) => ((n % together) * (all.length / together) + Math.floor(n / together)) % all.length,
      );
      for (let at = 0; at < order.length; at += together) {
        const group = order.slice(at, at + together);
        const picture = await photograph(
          group.map((n) => symbols[n]!),
          how(at),
        );
        const from = performance.now();
        const result = await reader.read(picture);
        tookMs.push(performance.now() - from);
        const found = new Set(result.kind === 'read' ? result.barcodes.map((barcode) => barcode.text) : []);
        for (const n of group) {
          const { text, format } = all[n]!;
          if (found.delete(text)) exact += 1;
          else missed.set(format, (missed.get(format) ?? 0) + 1);
        }
        wrong += found.size;
        misread.push(...found);
      }
      const share = exact / all.length;
      figures.set(`pictures.${name}`, share);
      if (process.env.BENCH_MISSED)
        process.stderr.write(`${name}: ${JSON.stringify([...missed])} ${JSON.stringify(misread)}\n`);
      rows.push({
        what: `barcodes in pictures, ${name}: read exactly, of ${all.length}`,
        ours: `${(share * 100).toFixed(1)} %, ${wrong} read wrongly; a picture ${median(tookMs).toFixed(0)} ms, p95 ${percentile(
          tookMs.toSorted((a, b) => a - b),
          0.95,
        ).toFixed(0)} ms`,
        beside: '',
        ratio: '',
      });
    }
  } finally {
    await reader.stop();
  }
  return rows;
}
