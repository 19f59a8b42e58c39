/**
 * The decoding benchmark: 10,000 scans in pages of 500, compared with JSON.parse of the same data, and the longest
 * stall of the event loop in the meantime.
 */
import { operations } from '../../src/codereadr/operations/index.js';
import type { RecordedScan } from '../../src/codereadr/types.js';
import { decodeXml } from '../../src/codereadr/xml/xml.js';
import { median, type Row } from './figures.js';
import { watchLoop } from './stalls.js';

const scans = 10_000;
const pageSize = 500;
const rounds = 7;

function page(from: number): string {
  const one = (n: number) =>
    `<scan id="${n}"><device id="571">Gate A phone</device><service id="1201">Gate A: tickets &amp; more</service><user id="702">mara.gate</user><status>${n % 2}</status><tid>HLF-${String(n).padStart(6, '0')}</tid><result>Adult, three days</result><timestamp>2026-11-21 18:02:11</timestamp><answer qid="381" qtext="Wristband handed out?">Yes</answer><properties><capture_type>camera</capture_type><gps_location>53.5461,9.9661</gps_location></properties></scan>`;
  return `<?xml version="1.0" encoding="UTF-8"?><xml><status>1</status><count>${pageSize}</count>${Array.from({ length: pageSize }, (_, n) => one(from + n)).join('')}</xml>`;
}

export async function benchDecode(figures: Map<string, number>): Promise<Row[]> {
  const retrieve = operations.find((one) => one.section === 'scans' && one.action === 'retrieve')!;
  const pages = Array.from({ length: scans / pageSize }, (_, n) => page(n * pageSize));
  const decode = async (): Promise<RecordedScan[]> => {
    const found: RecordedScan[] = [];
    for (const document of pages) {
      const output = (await retrieve.output(await decodeXml(document))) as { scans: RecordedScan[] };
      found.push(...output.scans);
    }
    return found;
  };
  const json = JSON.stringify(await decode());
  const ours: number[] = [];
  const beside: number[] = [];
  const stalls: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const watched = watchLoop();
    let at = performance.now();
    const found = await decode();
    ours.push(performance.now() - at);
    stalls.push((await watched()).cpuMs);
    at = performance.now();
    const parsed = JSON.parse(json) as unknown[];
    beside.push(performance.now() - at);
    if (found.length !== scans || parsed.length !== scans) {
      throw new Error('not every scan was read');
    }
  }
  const ratio = median(beside) / median(ours);
  figures.set('decode.ratio', ratio);
  figures.set('decode.ms', median(ours));
  figures.set('decode.longestStallMs', Math.max(...stalls));
  return [
    {
      what: `decode ${scans.toLocaleString('en')} scans in pages of ${pageSize}, beside JSON.parse`,
      ours: `${median(ours).toFixed(0)} ms, longest stall ${Math.max(...stalls).toFixed(0)} ms of processor time`,
      beside: `${median(beside).toFixed(0)} ms`,
      ratio: ratio.toFixed(3),
    },
  ];
}
