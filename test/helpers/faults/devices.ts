/**
 * Owns scanning devices that behave as the contract says: a scan that was not answered with XML is kept and posted again, a
 * scan that was answered is forgotten. They remember what they sent and heard, and refuse an answer that comes late, and silence
 * for too long.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Chance } from './chance.js';

/** How long a device waits for an answer (contract, scan to URL). */
const patienceMs = 15_000;
/** What the relay promises, whatever is down: the account may be asked for 3 s of it. */
export const answersWithinMs = 3_500;

export interface Target {
  readonly relayId: string;
  /** Where the next post goes: another instance each time where there are several. */
  url(): string;
}

/** A scan that was answered, in the test's monotonic milliseconds. */
export interface AnsweredScan {
  readonly relayId: string;
  readonly form: Readonly<Record<string, string>>;
  readonly firstSentAt: number;
  readonly answeredAt: number;
  /** What the device was told. */
  readonly valid: boolean;
  readonly text: string;
}

export interface Devices {
  /** `count` scans of one device, one after the other; resolves when all are answered. */
  scan(target: Target, options: ScanOptions): Promise<void>;
  readonly answered: readonly AnsweredScan[];
  /** The longest time from a post to its answer in XML. */
  readonly longestAnswerMs: number;
  /** Answers without XML, by status; `broken` where the connection broke, `late` where none came in time. */
  readonly refusals: ReadonlyMap<string, number>;
}

export interface ScanOptions {
  readonly count: number;
  /** Between two scans of the device: at most so many milliseconds. */
  readonly pauseMs: number;
  /** How long one scan may stay unanswered; 60 s unless told. */
  readonly withinMs?: number;
  /** More variables, or others. */
  readonly fields?: (n: number) => Readonly<Record<string, string>>;
  /** Ends early, after the scan at hand. */
  readonly until?: AbortSignal;
}

/** What barcodes hold in life, and what a careless program would change in them. */
const endings = ['', ' ', '\u001d', '\t', '%2B+&=;', 'ß→😀', '"\'`*<!channel>', '\\', '0', '1e5', 'A\u0301'];

export function createDevices(chance: Chance): Devices {
  const answered: AnsweredScan[] = [];
  const refusals = new Map<string, number>();
  let devices = 0;
  let longestAnswerMs = 0;

  const refuse = (why: string): void => {
    refusals.set(why, (refusals.get(why) ?? 0) + 1);
  };

  /** One post; undefined when it was not answered with XML. */
  const post = async (url: string, form: Readonly<Record<string, string>>) => {
    const sentAt = performance.now();
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
        signal: AbortSignal.timeout(patienceMs),
      });
      const body = await response.text();
      const tookMs = performance.now() - sentAt;
      if (tookMs > answersWithinMs) {
        throw new BrokenPromise(`HTTP ${response.status} came after ${Math.round(tookMs)} ms: ${body.slice(0, 200)}`);
      }
      const answer = readAnswer(response, body);
      if (!answer) {
        refuse(String(response.status));
        return undefined;
      }
      longestAnswerMs = Math.max(longestAnswerMs, tookMs);
      return answer;
    } catch (error) {
      if (error instanceof BrokenPromise) {
        throw error;
      }
      refuse(error instanceof DOMException && error.name === 'TimeoutError' ? 'late' : 'broken');
      return undefined;
    }
  };

  const postUntilAnswered = async (target: Target, form: Readonly<Record<string, string>>, withinMs: number) => {
    const firstSentAt = performance.now();
    for (;;) {
      const answer = await post(target.url(), form);
      if (answer) {
        return { relayId: target.relayId, form, firstSentAt, answeredAt: performance.now(), ...answer };
      }
      if (performance.now() - firstSentAt > withinMs) {
        throw new Error(`a device was not answered within ${withinMs} ms: ${JSON.stringify([...refusals])}`);
      }
      await wait(chance.between(50, 300));
    }
  };

  return {
    answered,
    refusals,
    get longestAnswerMs() {
      return longestAnswerMs;
    },

    async scan(target, { count, pauseMs, withinMs = 60_000, fields, until }) {
      devices += 1;
      const name = devices;
      const own = chance.fork();
      for (let n = 1; n <= count && !until?.aborted; n++) {
        const form = {
          tid: `00${name}-${n}-${own.pick(endings)}`,
          sid: '1206',
          userid: '702',
          udid: `device-${name}`,
          scanned_at_utc: new Date(Date.now() - own.between(0, 2_000)).toISOString().slice(0, 19).replace('T', ' '),
          ...(own.percent(50) ? { status: own.pick(['1', '0']), text: `told ${n}` } : {}),
          'answers[12]': own.pick(['yes', 'no|^|perhaps', '']),
          ...fields?.(n),
        };
        const scan = await postUntilAnswered(target, form, withinMs);
        answered.push(scan);
        if (own.percent(10)) {
          // The answer got lost on its way: the same again must be answered the same.
          const again = await postUntilAnswered(target, form, withinMs);
          if (again.valid !== scan.valid || again.text !== scan.text) {
            throw new BrokenPromise(`the same scan was answered otherwise: ${JSON.stringify([scan, again])}`);
          }
        }
        await wait(own.between(0, pauseMs));
      }
    },
  };
}

class BrokenPromise extends Error {}

function readAnswer(response: Response, body: string): { valid: boolean; text: string } | undefined {
  const told = /^<\?xml[^>]*>\s*<xml><message><status>([01])<\/status><text>([^<]*)<\/text>.*<\/xml>$/s.exec(body);
  if (response.status === 200 && told && response.headers.get('content-type') === 'text/xml') {
    return { valid: told[1] === '1', text: unescaped(told[2]!) };
  }
  // A body that is no whole answer may make a device forget a scan that nobody kept.
  if (body !== '') {
    throw new BrokenPromise(`HTTP ${response.status} came with a body: ${body.slice(0, 200)}`);
  }
  return undefined;
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#13;', '\r').replaceAll('&amp;', '&');
}
