import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { AccountsDeps } from '../../src/codereadr/index.js';
import { barcode, databases, limits, scans, users } from '../../src/codereadr/operations/index.js';
import type { AccountClient } from '../../src/codereadr/types.js';
import { createMetrics } from '../../src/metrics.js';
import {
  failure,
  type HandClock,
  handClock,
  noon,
  openAccounts,
  type Seen,
  type Server,
  send,
  settle,
  startServer,
  success,
  until,
} from './helper.js';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const thing of open.splice(0).reverse()) {
    await thing.close();
  }
});

interface Rig {
  readonly server: Server;
  readonly client: AccountClient;
  readonly open: (key: string) => AccountClient;
}

async function rig(answer: Parameters<typeof startServer>[0], over: Partial<AccountsDeps> = {}): Promise<Rig> {
  const server = await startServer(answer);
  const accounts = openAccounts(server.url, over);
  open.push({ close: () => server.close() }, accounts);
  return { server, client: accounts.open('key').client, open: (key) => accounts.open(key).client };
}

/** Holds every answer back until `let` sends it. */
function held(): { answer: (request: Seen, response: ServerResponse) => void; let: (document: string) => void } {
  const waiting: ServerResponse[] = [];
  return {
    answer: (_, response) => {
      waiting.push(response);
    },
    let: (document) => {
      for (const response of waiting.splice(0)) {
        send(response, document);
      }
    },
  };
}

const value = (id: string) => success(`<value validity="1"><id>${id}</id><response>ok</response></value>`);
const look = { database_id: '1', value: 'x' };

describe('equal reads in flight', () => {
  test('equal reads that are requested at once share one call, however many callers there are', async () => {
    const gate = held();
    const { server, client } = await rig(gate.answer, { clock: handClock() });
    const asked = Array.from({ length: 20 }, () => client.call(databases.showvalues, look));
    await until(() => server.seen.length > 0);
    asked.push(client.call(databases.showvalues, look));
    gate.let(value('x'));
    const answers = await Promise.all(asked);
    expect(server.seen).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.values[0]?.value))).toEqual(new Set(['x']));
    expect(client.callsLeft().minute.left).toBe(9_999);
  });

  test('a read in flight is not shared with a read of other parameters, operation or API key', async () => {
    const gate = held();
    const { server, client, open: openKey } = await rig(gate.answer);
    const asked = [
      client.call(databases.showvalues, look),
      client.call(databases.showvalues, { ...look, value: 'X' }),
      client.call(databases.showvalues, { ...look, value: 'x ' }),
      client.call(scans.retrieve, { value: 'x' }),
      openKey('other').call(databases.showvalues, look),
    ];
    await until(() => server.seen.length === 5);
    gate.let(success());
    await Promise.all(asked);
  });

  test('a caller who stops waiting for a shared read does not stop it for other callers', async () => {
    const gate = held();
    const { server, client } = await rig(gate.answer);
    const stop = new AbortController();
    const gone = client.call(databases.showvalues, look, { signal: stop.signal });
    const stays = client.call(databases.showvalues, look);
    await until(() => server.seen.length === 1);
    stop.abort();
    await expect(gone).rejects.toMatchObject({ code: 'account.aborted' });
    gate.let(value('x'));
    await expect(stays).resolves.toMatchObject({ values: [{ value: 'x' }] });
    expect(server.seen).toHaveLength(1);
  });

  test('a shared read is aborted when all callers stop waiting, and the next caller starts a new read', async () => {
    let closed = 0;
    const gate = held();
    const { server, client } = await rig((request, response) => {
      response.on('close', () => {
        closed += 1;
      });
      gate.answer(request, response);
    });
    const stops = [new AbortController(), new AbortController()];
    const gone = stops.map((stop) => client.call(databases.showvalues, look, { signal: stop.signal }));
    const outcomes = gone.map((call) => expect(call).rejects.toMatchObject({ code: 'account.aborted' }));
    await until(() => server.seen.length === 1);
    for (const stop of stops) {
      stop.abort();
    }
    await Promise.all(outcomes);
    await until(() => closed === 1);
    const anew = client.call(databases.showvalues, look);
    await until(() => server.seen.length === 2);
    gate.let(value('x'));
    await expect(anew).resolves.toMatchObject({ values: [{ value: 'x' }] });
  });

  test('an error of a shared read reaches every caller of it', async () => {
    const gate = held();
    const { server, client } = await rig(gate.answer);
    const asked = [client.call(databases.showvalues, look), client.call(databases.showvalues, look)];
    const outcomes = asked.map((call) =>
      expect(call).rejects.toMatchObject({ code: 'account.refused', apiCode: '204' }),
    );
    await until(() => server.seen.length === 1);
    gate.let(failure('204', 'no such database'));
    await Promise.all(outcomes);
    expect(server.seen).toHaveLength(1);
  });

  test('a read after a change does not get the answer of a read before the change', async () => {
    const reads: ServerResponse[] = [];
    const { server, client } = await rig(({ form }, response) => {
      if (form.get('action') === 'showvalues') {
        reads.push(response);
      } else {
        send(response, success());
      }
    });
    const before = client.call(databases.showvalues, look);
    await until(() => reads.length === 1);
    await client.call(databases.addvalue, look);
    const after = client.call(databases.showvalues, look);
    await until(() => reads.length === 2);
    send(reads[0] as ServerResponse, success());
    send(reads[1] as ServerResponse, value('x'));
    await expect(before).resolves.toEqual({ values: [] });
    await expect(after).resolves.toMatchObject({ values: [{ value: 'x' }] });
    expect(server.seen).toHaveLength(3);
  });

  test('two equal changes are sent as two calls to the account', async () => {
    const { server, client } = await rig((_, response) => send(response, success()));
    await Promise.all([
      client.call(databases.clear, { database_id: '1' }),
      client.call(databases.clear, { database_id: '1' }),
    ]);
    expect(server.seen).toHaveLength(2);
  });

  test('two callers who wait for the quota with equal reads share one call, which counts once', async () => {
    const clock = handClock(noon + 59_000);
    const gate = held();
    const { server, client } = await rig(gate.answer, { clock, callsPerMinute: 2 });
    const first = [client.call(limits.retrieve, {}), client.call(users.retrieve, {})];
    await until(() => server.seen.length === 2);
    const waiting = [client.call(databases.showvalues, look), client.call(databases.showvalues, look)];
    await settle();
    await clock.advance(1_000);
    await until(() => server.seen.length === 3);
    gate.let(value('x'));
    await Promise.all([...first, ...waiting]);
    expect(server.seen).toHaveLength(3);
    expect(client.callsLeft().minute.left).toBe(1);
  });
});

describe('an answer of the account that is shared', () => {
  const at = (clock: HandClock, ages: number[]) => ({
    version: '1',
    answeredAsOf: (time: number) => ages.push(clock.now() - time),
  });

  test('an answer is shared for 10 seconds among callers who know of equal changes, and states its age', async () => {
    const clock = handClock();
    const { server, client } = await rig((_, response) => send(response, value('x')), { clock });
    const ages: number[] = [];
    await client.call(databases.showvalues, look, at(clock, ages));
    await clock.advance(9_000);
    await client.call(databases.showvalues, look, at(clock, ages));
    expect(server.seen).toHaveLength(1);
    await client.call(databases.showvalues, look, { ...at(clock, ages), version: '2' });
    await client.call(databases.showvalues, look, { ...at(clock, ages), anew: true });
    await client.call(databases.showvalues, look);
    expect(server.seen).toHaveLength(4);
    await clock.advance(10_000);
    await client.call(databases.showvalues, look, at(clock, ages));
    expect(server.seen).toHaveLength(5);
    expect(ages).toEqual([0, 9_000, 0, 0, 0]);
  });

  test('an answer is not shared after a change, and an error is not shared with later callers', async () => {
    const clock = handClock();
    let asked = 0;
    const { server, client } = await rig(
      ({ form }, response) => {
        asked += form.get('action') === 'showvalues' ? 1 : 0;
        send(response, asked === 1 ? failure('204', 'no such database') : value('x'));
      },
      { clock },
    );
    const read = () => client.call(databases.showvalues, look, { version: '1' });
    await expect(read()).rejects.toMatchObject({ apiCode: '204' });
    await read();
    await read();
    expect(asked).toBe(2);
    await client.call(databases.addvalue, look);
    await read();
    expect(asked).toBe(3);
    expect(server.seen).toHaveLength(4);
  });
});

describe('calls used up', () => {
  async function withQuota(code: string, clock: HandClock, times: number): Promise<Rig> {
    let refused = 0;
    return await rig(
      (_, response) => {
        refused += 1;
        send(response, refused <= times ? failure(code, 'used up') : success());
      },
      { clock },
    );
  }

  test('the account’s error 111 far from the next minute is reported at once, with the time of new calls', async () => {
    const { client, server } = await withQuota('111', handClock(noon + 20_000), 9);
    const refused = { code: 'account.quota', quota: { period: 'minute', left: 0, againAt: noon + 60_000 } };
    await expect(client.call(scans.retrieve, {})).rejects.toMatchObject(refused);
    await expect(client.call(databases.showvalues, look)).rejects.toMatchObject(refused);
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ['a read', scans.retrieve, {}],
    ['a change', databases.addvalue, look],
  ] as const)(
    'a call refused with the account’s error 111 shortly before the next minute is repeated in it: %s',
    async (_, operation, input) => {
      const clock = handClock(noon + 58_500);
      const { client, server } = await withQuota('111', clock, 1);
      const call = client.call(operation, input as never);
      await until(() => server.seen.length === 1 && clock.sleepers > 0 && client.callsLeft().minute.left === 0);
      await clock.advance(1_500);
      await call;
      expect(server.seen).toHaveLength(2);
    },
  );

  test('the account’s error 113 is reported with the end of the day as the time when calls are available', async () => {
    const { client, server } = await withQuota('113', handClock(), 9);
    await expect(client.call(scans.retrieve, {})).rejects.toMatchObject({
      code: 'account.quota',
      quota: { period: 'day', left: 0, againAt: noon + 16 * 3_600_000 },
    });
    await expect(client.call(limits.retrieve, {})).rejects.toMatchObject({ code: 'account.quota' });
    expect(server.seen).toHaveLength(1);
  });

  test('an answer of limits/retrieve corrects Scandesk’s count of the calls left', async () => {
    const { client } = await rig(
      (_, response) => send(response, success('<minute left="7" limit="60"/><day left="-1" limit="-1"/>')),
      { clock: handClock() },
    );
    await client.call(limits.retrieve, {});
    expect(client.callsLeft()).toMatchObject({
      minute: { left: 7, limit: 60 },
      day: { left: Number.POSITIVE_INFINITY },
    });
  });

  test.each([
    ['111', 'minute'],
    ['113', 'day'],
  ] as const)('an account that names no limit and answers %s has no calls left this %s', async (code, period) => {
    const unlimited = '<minute left="-1" limit="-1"/><day left="-1" limit="-1"/>';
    const { client } = await rig(
      (sent, response) =>
        send(response, sent.form.get('section') === 'limits' ? success(unlimited) : failure(code, 'used up')),
      { clock: handClock(noon + 20_000) },
    );
    await client.call(limits.retrieve, {});
    const refused = { code: 'account.quota', quota: { period, left: 0 } };
    await expect(client.call(scans.retrieve, {})).rejects.toMatchObject(refused);
    expect(client.callsLeft()[period].left).toBe(0);
  });

  test('a call that cannot reach the account is not counted against the quota', async () => {
    const server = await startServer(() => {});
    await server.close();
    const accounts = openAccounts(server.url, { callsPerMinute: 30 });
    open.push(accounts);
    const { client } = accounts.open('key');
    await expect(client.call(scans.retrieve, {})).rejects.toMatchObject({ code: 'account.unreachable' });
    expect(client.callsLeft().minute.left).toBe(30);
  });
});

test('an input that does not fit its declaration costs no API call, and the error names the parameter', async () => {
  const { server, client } = await rig((_, response) => send(response, success()));
  await expect(client.call(databases.addvalue, { database_id: 'x', value: '' })).rejects.toMatchObject({
    code: 'account.input',
    param: 'database_id',
    apiCode: '270',
    problems: [{ param: 'database_id' }, { param: 'value', apiCode: '1028' }],
  });
  expect(server.seen).toHaveLength(0);
  expect(client.callsLeft().minute.left).toBe(10_000);
});

test('a time zone is sent in the account’s spelling, and a time with seconds', async () => {
  const { server, client } = await rig((_, response) => send(response, success()));
  await client.call(scans.retrieve, { timezone: 'UTC', start_date: '2030-01-01', start_time: '09:30' });
  expect(server.seen[0]?.form.get('timezone')).toBe('Africa/Abidjan');
  expect(server.seen[0]?.form.get('start_time')).toBe('09:30:00');
});

test('scans in a time zone that the account does not list are requested in UTC and returned in that zone', async () => {
  const scan =
    '<scan id="7"><timestamp>2026-01-10 05:30:00</timestamp><timestamp_received>x</timestamp_received></scan>';
  const { server, client } = await rig((_, response) => send(response, success(scan)));
  const day = { start_date: '2026-01-09', end_date: '2026-07-09', end_time: '12:00' };
  const { scans: found } = await client.call(scans.retrieve, { timezone: 'america/ciudad_juarez', ...day });
  const sent = Object.fromEntries(server.seen[0]?.form ?? []);
  expect(sent).toMatchObject({
    timezone: 'Africa/Abidjan',
    start_date: '2026-01-09',
    start_time: '07:00:00',
    end_date: '2026-07-09',
    end_time: '18:00:00',
  });
  expect(found[0]).toMatchObject({ timestamp: '2026-01-09 22:30:00', timestampReceived: 'x' });
});

test('calls to the account are counted by operation and outcome in the metrics', async () => {
  const metrics = createMetrics();
  let calls = 0;
  const { client } = await rig(
    (_, response) => {
      calls += 1;
      send(response, calls === 1 ? success() : failure('204', 'no'));
    },
    { metrics },
  );
  await client.call(scans.retrieve, {});
  await client.call(databases.showvalues, look).catch(() => {});
  const told = await metrics.registry.metrics();
  expect(told).toContain('scandesk_account_calls_total{operation="scans/retrieve",outcome="ok"} 1');
  expect(told).toContain('scandesk_account_calls_total{operation="databases/showvalues",outcome="account.refused"} 1');
  expect(told).toContain('scandesk_account_seconds_count{operation="scans/retrieve"} 1');
});

test('two equal requests for a barcode with a logo are sent as two calls, as a multipart form', async () => {
  const { server, client } = await rig((_, response) => void response.writeHead(200).end(Buffer.from('GIF89a')));
  const logo = { name: 'logo.png', type: 'image/png', content: Buffer.from([0x89, 0x50]) };
  await Promise.all([
    client.call(barcode.generate, { value: 'a', logo, size: 3, filetype: 'GIF' }),
    client.call(barcode.generate, { value: 'a', logo, size: 3, filetype: 'GIF' }),
  ]);
  expect(server.seen).toHaveLength(2);
  expect(server.seen[0]?.headers['content-type']).toMatch(/^multipart\/form-data/);
});

test('opening the same API key twice returns the same client, and a key in other case another client', async () => {
  const { client, open: openKey } = await rig((_, response) => send(response, success()));
  expect(openKey('key')).toBe(client);
  expect(openKey('Key')).not.toBe(client);
});
