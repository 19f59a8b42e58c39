/**
 * Shared fixtures of the embedded account's tests: a real HTTP server with a clock that a test sets, and XML responses
 * parsed into elements. They do not use the app's own client.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { type Clock, systemRandom } from '../../../src/clock.js';
import { silentLog } from '../../../src/log.js';
import {
  type AccountService,
  type AccountServiceOptions,
  createAccountService,
  sampleKeys,
} from '../../../src/sandbox/codereadr/index.js';

/** 2025-06-14 18:30:00 UTC, a Saturday: 2:30 PM in New York. */
export const someSaturday = Date.UTC(2025, 5, 14, 18, 30, 0);

export interface TestClock extends Clock {
  set(at: number): void;
}

export function testClock(at = someSaturday): TestClock {
  let now = at;
  return {
    now: () => now,
    set: (next) => {
      now = next;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, Math.min(ms, 300));
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(signal.reason as Error);
        });
      }),
  };
}

export interface Answer {
  readonly status: string;
  /** The error's code, if any. */
  readonly code: string | undefined;
  readonly text: string | undefined;
  readonly root: El;
}

export interface El {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly El[];
  /** The first child with that name. */
  get(name: string): El | undefined;
  all(name: string): readonly El[];
}

export interface Harness {
  readonly service: AccountService;
  readonly clock: TestClock;
  readonly url: string;
  readonly api: string;
  /** Sends a POST form, with the demo key unless `api_key` is among the variables. */
  call(operation: string, variables?: Record<string, string>): Promise<Answer>;
  /** As `call`; throws if the response is an error. */
  ok(operation: string, variables?: Record<string, string>): Promise<El>;
  json(method: 'GET' | 'POST', path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  close(): Promise<void>;
}

export async function startService(options: Partial<AccountServiceOptions> = {}): Promise<Harness> {
  const clock = testClock();
  const service = await createAccountService({
    file: ':memory:',
    clock,
    random: systemRandom,
    log: silentLog,
    limits: { minute: -1, day: -1 },
    ...options,
  });
  const server: Server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    void service.handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${options.prefix ?? ''}`;
  const api = `${url}/api/`;

  const call: Harness['call'] = async (operation, variables = {}) => {
    const [section = '', action = ''] = operation.split('/');
    const body = new URLSearchParams({ section, action, api_key: sampleKeys.demo, ...variables });
    return readAnswer(await fetch(section === 'barcode' ? `${url}/barcode/api/` : api, { method: 'POST', body }));
  };
  return {
    service,
    clock,
    url,
    api,
    call,
    ok: async (operation, variables) => {
      const answer = await call(operation, variables);
      if (answer.status !== '1') throw new Error(`${operation}: ${answer.code} ${answer.text}`);
      return answer.root;
    },
    json: async (method, path, body) => {
      const response = await fetch(`${url}${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      });
      return { status: response.status, body: await response.json() };
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await service.close();
    },
  };
}

/** Parses a response of the API. @throws unless it is HTTP 200 and well-formed XML without a stack trace */
export async function readAnswer(response: Response): Promise<Answer> {
  const body = await response.text();
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${body.slice(0, 200)}`);
  return readDocument(body);
}

export function readDocument(body: string): Answer {
  const valid = XMLValidator.validate(body);
  if (valid !== true) throw new Error(`not XML: ${valid.err.msg}: ${body.slice(0, 300)}`);
  if (/\n\s+at .*:\d+:\d+/.test(body) || body.includes('node_modules')) throw new Error(`a stack in: ${body}`);
  const root = readElement(body);
  const error = root.get('error');
  return { status: root.get('status')?.text ?? '', code: error?.attributes.code, text: error?.text, root };
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  ignoreDeclaration: true,
});

type Parsed = Record<string, unknown>;

function readElement(body: string): El {
  const roots = (parser.parse(body) as Parsed[]).map(toElement).filter((el) => el !== undefined);
  if (roots.length !== 1 || roots[0]?.name !== 'xml') throw new Error(`no single root: ${body.slice(0, 200)}`);
  return roots[0];
}

function toElement(node: Parsed): El | undefined {
  const name = Object.keys(node).find((key) => key !== ':@');
  if (name === undefined || name === '#text') return undefined;
  const content = node[name] as Parsed[];
  const children = content.map(toElement).filter((child) => child !== undefined);
  const text = content.map((part) => ('#text' in part ? decode(String(part['#text'])) : '')).join('');
  const attributes = Object.fromEntries(
    Object.entries((node[':@'] ?? {}) as Record<string, string>).map(([key, value]) => [key, decode(value)]),
  );
  return {
    name,
    attributes,
    text,
    children,
    get: (wanted) => children.find((child) => child.name === wanted),
    all: (wanted) => children.filter((child) => child.name === wanted),
  };
}

function decode(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(#?\w+);/g, (_, name: string) =>
    name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (named[name] ?? '?'),
  );
}
