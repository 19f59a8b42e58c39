/**
 * Simulated scanning devices that follow the contract: a scan without an XML response is stored and posted again, an
 * answered one is dropped. They record every scan and response, and fail on a late response or too long a silence.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Chance } from './chance.js';
import { heldUpSince } from './held-up.js';

/** How long a device waits for a response (contract, scan to URL). */
const patienceMs = 15_000;
/**
 * The relay's response time limit, whatever is down; up to 3 s of it may go to a request to the account. What the machine
 * withheld from this process comes on top: it withheld as much from the app.
 */
export const answersWithinMs = 3_500;

export interface Target {
  readonly relayId: string;
  /** The URL of the next post; with several instances, a different one each time. */
  url(): string;
}

/** An answered scan; times are the test's monotonic milliseconds. */
export interface AnsweredScan {
  readonly relayId: string;
  readonly form: Readonly<Record<string, string>>;
  readonly firstSentAt: number;
  readonly answeredAt: number;
  /** The result in the response. */
  readonly valid: boolean;
  readonly text: string;
}

export interface Devices {
  /** Posts `count` scans of one device, one after another; resolves when all are answered. */
  scan(target: Target, options: ScanOptions): Promise<void>;
  readonly answered: readonly AnsweredScan[];
  /** The longest time from a post to its XML response. */
  readonly longestAnswerMs: number;
  /** Responses without XML, by status; `broken` if the connection broke, `late` if none came in time. */
  readonly refusals: ReadonlyMap<string, number>;
}

export interface ScanOptions {
  readonly count: number;
  /** The longest pause between two scans of the device. */
  readonly pauseMs: number;
  /** How long one scan may stay unanswered; 60 s by default. */
  readonly withinMs?: number;
  /** Additional or overriding variables. */
  readonly fields?: (n: number) => Readonly<Record<string, string>>;
  /** Aborted to end after the current scan. */
  readonly until?: AbortSignal;
}

/** Endings that occur in real barcodes and that careless code would change. */
const endings = ['', ' ', '\u001d', '\t', '%2B+&=;', 'ß→😀', '"\'`*<!channel>', '\\', '0', '1e5', 'A\u0301'];

/** @param withinMs the response time limit, where a test starts the app too often to hold the usual one */
export function createDevices(chance: Chance, withinMs = answersWithinMs): Devices {
  const answered: AnsweredScan[] = [];
  const refusals = new Map<string, number>();
  let devices = 0;
  let longestAnswerMs = 0;

  const refuse = (why: string): void => {
    refusals.set(why, (refusals.get(why) ?? 0) + 1);
  };

  /** Posts once; undefined if the response was not XML. */
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
      if (tookMs > withinMs + heldUpSince(sentAt)) {
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
          // The response got lost: the same scan sent again must get the same response.
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
  // An incomplete response may make a device drop a scan that was not stored.
  if (body !== '') {
    throw new BrokenPromise(`HTTP ${response.status} came with a body: ${body.slice(0, 200)}`);
  }
  return undefined;
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&#13;', '\r').replaceAll('&amp;', '&');
}
