import { inspect } from 'node:util';
import { Keyv } from 'keyv';
import { expect, test } from 'vitest';
import type { AccountsDeps } from '../../src/codereadr/index.js';
import { databases, limits, operations, scans, users } from '../../src/codereadr/operations/index.js';
import { createLog } from '../../src/log.js';
import { createMetrics } from '../../src/metrics.js';
import { type Answering, failure, openAccounts, send, startServer, success } from './helper.js';

const key = 'canary-api-key-7f3a9c';
const password = 'canary-password-1d8e';

/** The texts of an error and its causes, by every way in which errors are written. */
function everything(error: unknown): string {
  const parts: string[] = [];
  for (let at: unknown = error; at !== undefined && at !== null && parts.length < 50; ) {
    parts.push(inspect(at, { depth: 10, showHidden: true }), JSON.stringify(at), String(at));
    if (!(at instanceof Error)) {
      break;
    }
    parts.push(at.message, at.stack ?? '', JSON.stringify(at, Object.getOwnPropertyNames(at)));
    at = at.cause;
  }
  return parts.join('\n');
}

/** What an account might do with a request that it was sent: quote it in every way there is. */
const quoting: readonly [string, Answering][] = [
  ['quotes the request in its error', ({ body, form }, response) => send(response, failure('100', quote(body, form)))],
  [
    'quotes the request in an error without a code',
    ({ body, form }, response) => {
      send(response, `<xml><status>0</status><error>${quote(body, form)}</error></xml>`);
    },
  ],
  [
    'quotes the request with error 113',
    ({ body, form }, response) => send(response, failure('113', quote(body, form))),
  ],
  [
    'quotes the request with error 111',
    ({ body, form }, response) => send(response, failure('111', quote(body, form))),
  ],
  [
    'answers with an HTML page of the request',
    ({ body }, response) => {
      response.writeHead(200).end(`<!DOCTYPE html><html>${inXml(body.toString())}</html>`);
    },
  ],
  ['answers with broken XML of the request', ({ body }, response) => send(response, `<xml><status>1</status><${body}`)],
  [
    'answers with a tag named like the key',
    ({ form }, response) => {
      send(response, `<xml><${form.get('api_key')}></${form.get('password')}></xml>`);
    },
  ],
  ['answers with a root named like the key', ({ form }, response) => send(response, `<${form.get('api_key')}/>`)],
  [
    'redirects to a URL with the request',
    ({ body }, response) => void response.writeHead(302, { location: `/?${String(body).replace(/\s/g, ' ')}` }).end(),
  ],
  [
    'fails with the request as its body',
    ({ body }, response) => void response.writeHead(500, String(body).replace(/[^\w-]/g, ' ')).end(body),
  ],
  [
    'breaks off after the request',
    ({ body }, response) => {
      response.writeHead(200, { 'content-length': '9999' }).write(body, () => response.socket?.resetAndDestroy());
    },
  ],
  [
    'answers with the request’s text, without HTTP',
    ({ body }, response) => void response.socket?.end(`${body}\r\n\r\n`),
  ],
  ['closes the connection', (_, response) => void response.socket?.resetAndDestroy()],
  [
    'names the key as its compression',
    (_, response) => void response.writeHead(200, { 'content-encoding': key }).end('x'),
  ],
];

function quote(body: Buffer, form: URLSearchParams): string {
  return `The key ${form.get('api_key')} and ${form.get('password')} in ${inXml(body.toString())}`;
}

function inXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

async function observe(answer: Answering, over: Partial<AccountsDeps> = {}): Promise<string> {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const metrics = createMetrics();
  const store = new Map<string, unknown>();
  const server = await startServer(answer);
  const accounts = openAccounts(server.url, {
    log: createLog({ level: 'trace', destination }),
    metrics,
    cache: (namespace) => new Keyv({ store, namespace }),
    ...over,
  });
  const { client, names: reference } = accounts.open(key);
  const calls = [
    () => client.call(users.validate, { username: 'bob', password }),
    () => client.call(users.create, { username: 'bob', password }),
    () => client.call(limits.retrieve, {}),
    () => client.call(scans.retrieve, { value: 'x' }),
    () =>
      client.call(databases.upload, {
        database_id: '1',
        csvfile: { name: 'a.csv', type: '', content: Buffer.from('a') },
      }),
    () => reference.users(),
  ];
  const told: string[] = [];
  for (const call of calls) {
    try {
      told.push(JSON.stringify(await call()));
    } catch (error) {
      told.push(everything(error));
    }
  }
  told.push(JSON.stringify(client.callsLeft()), await metrics.registry.metrics(), ...lines, inspect([...store]));
  await accounts.close();
  await server.close();
  expect(lines.length).toBeGreaterThan(0);
  expect(server.seen.some((seen) => seen.body.includes(key))).toBe(true);
  expect(
    server.seen.every((seen) => !seen.url.includes('canary') && !JSON.stringify(seen.headers).includes('canary')),
  ).toBe(true);
  return told.join('\n');
}

test.each(quoting)('neither the API key nor a password is in errors or logs when the account %s', async (_, answer) => {
  const told = await observe(answer);
  expect(told).not.toContain(key);
  expect(told).not.toContain('7f3a9c');
  expect(told).not.toContain(password);
});

test('neither the API key nor a password is in errors or logs of a successful call', async () => {
  const told = await observe((_, response) => send(response, success('<id>1</id>')));
  expect(told).not.toContain('canary');
});

test('an error quotes the account’s text with only the secret replaced', async () => {
  const server = await startServer((_, response) => send(response, failure('9999', `No such key: ${key}!`)));
  const accounts = openAccounts(server.url);
  await expect(accounts.open(key).client.call(scans.retrieve, {})).rejects.toMatchObject({
    apiCode: '9999',
    apiText: 'No such key: [hidden]!',
  });
  await accounts.close();
  await server.close();
});

test('exactly the password parameters of the operations are declared secret', () => {
  for (const operation of operations) {
    for (const [name, param] of Object.entries(operation.input)) {
      expect(param.secret === true, `${operation.section}/${operation.action} ${name}`).toBe(/password/.test(name));
    }
  }
});
