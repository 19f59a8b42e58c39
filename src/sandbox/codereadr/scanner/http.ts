/** The scanner's HTTP API (`api.ts`): it parses and validates JSON, routes, and answers with JSON. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { Clock } from '../../../clock.js';
import type { Access, Account } from '../access.js';
import type { FaultState, KeptScan, ScanRequest } from '../api.js';
import { type Faults, faultsRequest } from '../faults.js';
import { readServices, type Service } from '../operations/service-row.js';
import { stamp } from '../operations/time.js';
import type { Sql } from '../store/sqlite.js';
import { isEarly } from './questions.js';
import type { DeviceScan } from './scan.js';
import type { Scanner } from './scanner.js';
import { scannerState } from './state.js';
import type { UnsentScan, UnsentScans } from './unsent-scans.js';

export interface ScannerHttpDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly access: Access;
  readonly faults: Faults;
  readonly scanner: Scanner;
  readonly unsentScans: UnsentScans;
  readonly account: () => Account;
  readonly apiKey: string;
}

class Problem extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    readonly why: string,
  ) {
    super(why);
  }
}

const longestBody = 512_000;

/** The names of fields in a scan's request; a property of the same name would hide such a field. */
const reserved = /^(tid|sid|userid|udid|scanid|status|text|scanned_at_utc|received_at_utc|timestamp|device_timestamp)$/;

const textWithoutNul = z.string().refine((text) => !text.includes('\0'), 'holds a NUL character');
const id = z.string().regex(/^\d{1,15}$/, 'is not an id');
const answers = z.record(z.string().regex(/^\d{1,15}$/), textWithoutNul);

const scanRequest = z.object({
  service_id: id,
  device_id: id,
  user_id: id,
  value: textWithoutNul.min(1).max(10_000),
  answers: answers.optional(),
  properties: z
    .record(
      z
        .string()
        .min(1)
        .max(100)
        .refine((name) => !reserved.test(name) && !/[\0[\]]/.test(name), 'is not a property name'),
      textWithoutNul,
    )
    .optional(),
  scanned_at: z.string().optional(),
});

export type ScannerHttp = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;

export function createScannerHttp(deps: ScannerHttpDeps): ScannerHttp {
  const { sql, clock, access, faults, scanner, unsentScans, account } = deps;

  const serviceOf = (serviceId: number): Service | undefined => {
    const found = sql.get('SELECT 1 FROM services WHERE id = ? AND account_id = ?', serviceId, account().id);
    return found ? readServices(sql, account(), [serviceId])[0] : undefined;
  };

  function makeScan(request: ScanRequest): { service: Service; scan: DeviceScan } {
    const service = serviceOf(Number(request.service_id));
    if (!service) throw new Problem(404, 'unknown_service', 'There is no such service.');
    const device = sql.get<{ id: number; udid: string }>(
      'SELECT id, udid FROM devices WHERE id = ? AND account_id = ?',
      Number(request.device_id),
      account().id,
    );
    if (!device) throw new Problem(404, 'unknown_device', 'There is no such device.');
    const user = sql.get<{ id: number }>(
      'SELECT id FROM users WHERE id = ? AND account_id = ? AND deleted_at IS NULL',
      Number(request.user_id),
      account().id,
    );
    if (!user) throw new Problem(404, 'unknown_user', 'There is no such user.');
    const givenAnswers = request.answers ?? {};
    const openQuestions = service.questions.filter(
      ({ id, required, condition }) => required && isEarly(condition) && !givenAnswers[String(id)],
    );
    if (openQuestions.length > 0) {
      throw new Problem(
        422,
        'answers_missing',
        `Answer these questions first: ${openQuestions.map(({ text }) => text).join(', ')}`,
      );
    }
    const lateIds = new Set(service.questions.filter((q) => !isEarly(q.condition)).map((q) => String(q.id)));
    const answersWhere = (isLate: boolean) =>
      Object.fromEntries(Object.entries(givenAnswers).filter(([question]) => lateIds.has(question) === isLate));
    return {
      service,
      scan: {
        serviceId: service.id,
        deviceId: device.id,
        udid: device.udid,
        userId: user.id,
        value: request.value,
        scannedAt:
          request.scanned_at === undefined ? Math.floor(clock.now() / 1000) * 1000 : readUtc(request.scanned_at),
        answers: answersWhere(false),
        laterAnswers: answersWhere(true),
        properties: propertiesOf(service, request.properties ?? {}),
      },
    };
  }

  function changeFaults(body: unknown): FaultState {
    const requestedFaults = check(faultsRequest, body);
    faults.set(requestedFaults);
    const set = (column: string, value: number | string | undefined) => {
      if (value !== undefined) sql.run(`UPDATE accounts SET ${column} = ? WHERE id = ?`, value, account().id);
    };
    set('plan', requestedFaults.free_plan === undefined ? undefined : requestedFaults.free_plan ? 'free' : 'paid');
    set('get_allowed', requestedFaults.get_allowed === undefined ? undefined : Number(requestedFaults.get_allowed));
    set('minute_limit', requestedFaults.minute_limit);
    set('day_limit', requestedFaults.day_limit);
    if (requestedFaults.minute_left !== undefined) access.setLeft(account(), 'minute', requestedFaults.minute_left);
    if (requestedFaults.day_left !== undefined) access.setLeft(account(), 'day', requestedFaults.day_left);
    return faultState();
  }

  function faultState(): FaultState {
    const { plan, get_allowed } = account();
    const callsLeft = access.left(account());
    return {
      ...faults.state(),
      free_plan: plan === 'free',
      get_allowed: get_allowed === 1,
      minute_limit: callsLeft.minute.limit,
      day_limit: callsLeft.day.limit,
      minute_left: callsLeft.minute.left,
      day_left: callsLeft.day.left,
    };
  }

  async function answer(method: string, path: string, query: URLSearchParams, body: unknown): Promise<unknown> {
    switch (`${method} ${path}`) {
      case 'GET /scanner/state':
        return scannerState(sql, account(), deps.apiKey);
      case 'POST /scanner/scan': {
        const { service, scan } = makeScan(check(scanRequest, body) as ScanRequest);
        return scanner.scan(service, scan);
      }
      case 'POST /scanner/answer': {
        const asked = check(z.object({ pending_id: z.string(), answers }), body);
        const result = await scanner.answer(asked.pending_id, asked.answers);
        if (!result) throw new Problem(404, 'nothing_asked', 'No scan is waiting for these answers.');
        return result;
      }
      case 'GET /scanner/kept': {
        const device = check(id, query.get('device_id') ?? '');
        return { kept: unsentScans.storedOn(Number(device)).map(toKeptScan) };
      }
      case 'POST /scanner/upload': {
        const { device_id } = check(z.object({ device_id: id }), body);
        return { results: await scanner.upload(Number(device_id), serviceOf) };
      }
      case 'GET /scanner/faults':
        return faultState();
      case 'POST /scanner/faults':
        return changeFaults(body);
      default:
        throw new Problem(404, 'unknown_path', 'Not found.');
    }
  }

  return async (request, response, path) => {
    try {
      const query = new URL(request.url ?? '', 'http://scanner').searchParams;
      const body = request.method === 'POST' ? await readJson(request) : undefined;
      send(response, 200, await answer(request.method ?? '', path, query, body));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      send(response, error.status, { error: error.error, why: error.why });
    }
  };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=UTF-8', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    byteCount += part.length;
    if (byteCount <= longestBody) chunks.push(part);
  }
  if (byteCount > longestBody) throw new Problem(413, 'too_large', 'The request is too large.');
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
  } catch {
    throw new Problem(400, 'no_json', 'The request is not valid JSON.');
  }
}

function check<Shape extends z.ZodType>(shape: Shape, body: unknown): z.output<Shape> {
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  const why = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; ');
  throw new Problem(400, 'invalid', why);
}

function readUtc(text: string): number {
  const at = DateTime.fromFormat(text, 'yyyy-MM-dd HH:mm:ss', { zone: 'utc' });
  if (!at.isValid) throw new Problem(400, 'invalid', 'scanned_at must be like 2025-12-31 23:59:59, in UTC.');
  return at.toMillis();
}

/** The properties that a device adds, those of the service's `scan_properties`, and those given in the call. */
function propertiesOf(service: Service, givenProperties: Readonly<Record<string, string>>): Record<string, string> {
  return {
    capture_type: 'camera scan',
    time_zone: 'America/New_York',
    ...(service.settings.enableGPS === '1' ? { gps_location: '43.655800,-70.250500' } : {}),
    ...serviceProperties(service),
    ...givenProperties,
  };
}

function serviceProperties(service: Service): Record<string, string> {
  const pairs = JSON.parse(service.settings.scan_properties || '{}') as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(pairs).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function toKeptScan({ scan, why }: UnsentScan): KeptScan {
  return {
    service_id: String(scan.serviceId),
    device_id: String(scan.deviceId),
    user_id: String(scan.userId),
    value: scan.value,
    answers: { ...scan.answers, ...scan.laterAnswers },
    properties: scan.properties,
    scanned_at: stamp(scan.scannedAt, 'utc'),
    why,
  };
}
