/**
 * The course of a scan until the device shows a result: its route by the kind of service, the record, the request to
 * the URL, the answer that counts, and the scans that the device stores.
 */
import type { Clock } from '../../../clock.js';
import type { Account } from '../access.js';
import type { ScanResult } from '../api.js';
import type { Service } from '../operations/service-row.js';
import type { Sql } from '../store/sqlite.js';
import { createPendingScans, type PendingScan, type PendingScans } from './pending.js';
import type { Postman, PostOutcome } from './post.js';
import { dueQuestions } from './questions.js';
import type { Records } from './records.js';
import type { Reply, ReplyQuestion } from './reply.js';
import { type DeviceScan, directFields, postbackFields, type Verdict } from './scan.js';
import { keptResult, refusedResult, resultOf } from './shown.js';
import type { UnsentScan, UnsentScans } from './unsent-scans.js';
import { isActive, validate, withPattern } from './validate.js';

export interface Scanner {
  scan(service: Service, scan: DeviceScan): Promise<ScanResult>;
  /** Completes a scan with the second submit; `undefined` where no scan of that id waits for answers. */
  answer(pendingId: string, answers: Readonly<Record<string, string>>): Promise<ScanResult | undefined>;
  /** Sends all scans stored on a device, in order. `serviceOf` finds the service of a stored scan. */
  upload(deviceId: number, serviceOf: (id: number) => Service | undefined): Promise<ScanResult[]>;
}

export interface ScannerDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly account: () => Account;
  readonly records: Records;
  readonly unsentScans: UnsentScans;
  readonly postman: Postman;
  readonly newId: () => string;
}

export function createScanner(deps: ScannerDeps): Scanner {
  const { sql, clock, records, unsentScans, postman } = deps;
  const pendingScans: PendingScans = createPendingScans(deps.newId);
  const uploading = new Map<number, Promise<unknown>>();

  async function scan(service: Service, deviceScan: DeviceScan): Promise<ScanResult> {
    if (!service.userIds.includes(deviceScan.userId)) {
      return refusedResult('Not allowed', 'This user does not have access to this service.');
    }
    if (!isActive(service, clock.now(), deps.account().time_zone)) {
      return refusedResult('Not active', 'This service does not accept scans at this time.');
    }
    const scanned = { ...deviceScan, value: withPattern(service, 'scan', deviceScan.value) };
    if (isDirect(service)) {
      const result = await direct(service, scanned, service.settings.postback_url ?? '');
      // With auto sync, the device sends its stored scans once the URL answers again; without, they wait for an upload.
      if (service.settings.auto_sync === '1' && result.shown.kind !== 'kept') {
        const isUnanswered = (one: UnsentScan) => one.why === 'no_answer' && one.scan.serviceId === service.id;
        await sendAll(deviceScan.deviceId, () => service, isUnanswered);
      }
      return result;
    }
    if (service.method.startsWith('ondevice')) return onDevice(service, scanned);
    return online(service, scanned, clock.now());
  }

  /** One device's scans are sent one after another. */
  function sendAll(
    deviceId: number,
    serviceOf: (id: number) => Service | undefined,
    isSent: (one: UnsentScan) => boolean = () => true,
  ): Promise<ScanResult[]> {
    const earlierUpload = uploading.get(deviceId) ?? Promise.resolve();
    const uploadRun = earlierUpload.then(async () => {
      const results: ScanResult[] = [];
      const uploads = new Map<string, number>();
      for (const one of unsentScans.storedOn(deviceId).filter(isSent)) {
        results.push(await sendKept(one, serviceOf(one.scan.serviceId), uploads));
        unsentScans.remove(one.id);
      }
      return results;
    });
    uploading.set(
      deviceId,
      uploadRun.catch(() => {}),
    );
    return uploadRun;
  }

  /** Device -> URL. The account stores nothing; a scan without an XML answer stays on the device. */
  async function direct(service: Service, deviceScan: DeviceScan, url: string): Promise<ScanResult> {
    const firstPost = await postman.post(url, directFields(deviceScan));
    if (!firstPost.reply) {
      unsentScans.add(deviceScan, 'no_answer');
      return keptResult(firstPost.posted);
    }
    const questions = dueQuestions(sql, service, firstPost.reply.status, firstPost.reply.questions);
    const answered = onlyDue(deviceScan, questions);
    const scanId = firstPost.reply.scanId;
    if (hasLater(answered) || (scanId !== undefined && questions.length === 0)) {
      return directSecond(answered, url, { scanId });
    }
    const verdict = deviceScan.judged ?? verdictOf(firstPost.reply);
    const result = resultOf(service, verdict, { reply: firstPost.reply, posted: firstPost.posted });
    return questions.length === 0 ? result : asking(result, questions, { service, scan: answered, scanId, url });
  }

  async function directSecond(
    deviceScan: DeviceScan,
    url: string,
    second: NonNullable<UnsentScan['second']>,
  ): Promise<ScanResult> {
    const { posted, reply } = await postman.post(url, directFields(deviceScan, second));
    if (!reply) {
      unsentScans.add(deviceScan, 'no_answer', second);
      return keptResult(posted);
    }
    return resultOf(undefined, deviceScan.judged ?? verdictOf(reply), { reply, posted });
  }

  /** A scan that the device validates, and sends at once (to the account or the service's URL) or with the upload. */
  async function onDevice(service: Service, deviceScan: DeviceScan): Promise<ScanResult> {
    const isStored = unsentScans.storedOn(deviceScan.deviceId).some((one) => sameValue(one, deviceScan));
    const isRepeat = isStored || records.hasRecord(service.id, deviceScan.value);
    const isBlocked = isStored && service.settings.device_duplicate_value === '0';
    const judged: Verdict = isBlocked
      ? { status: 0, text: 'Already scanned' }
      : validate(sql, service, deviceScan.value, isRepeat);
    const fullScan = {
      ...deviceScan,
      judged,
      answers: { ...deviceScan.answers, ...deviceScan.laterAnswers },
      laterAnswers: {},
    };
    if (service.settings.auto_sync !== '1') {
      unsentScans.add(fullScan, 'not_uploaded');
      return resultOf(service, judged, {});
    }
    const url = service.settings.auto_sync_up_url;
    if (url) return direct(service, fullScan, url);
    return online(service, fullScan, clock.now(), records.addUpload(fullScan, clock.now()));
  }

  /**
   * A scan from the device to the account, which records it, validates it itself or by the URL, and posts it where the
   * service says so.
   */
  async function online(
    service: Service,
    deviceScan: DeviceScan,
    receivedAt: number,
    uploadId?: number,
  ): Promise<ScanResult> {
    const ownVerdict: Verdict | undefined =
      deviceScan.judged ??
      (service.method === 'postback'
        ? undefined
        : validate(sql, service, deviceScan.value, records.hasRecord(service.id, deviceScan.value)));
    const recordId = records.add(deviceScan, ownVerdict ?? { status: -1, text: '' }, receivedAt, uploadId);
    const url = postsTo(service, uploadId !== undefined);
    const post = (
      answers: Readonly<Record<string, string>>,
      askedQuestions: readonly ReplyQuestion[],
      verdict?: Verdict,
    ) =>
      url === undefined
        ? undefined
        : postman.post(
            url,
            postbackFields(deviceScan, {
              scanId: recordId,
              receivedAt,
              verdict,
              answers,
              questions: questionsOf(service, askedQuestions, answers),
            }),
          );

    const firstPost = await post(deviceScan.answers, [], ownVerdict);
    const verdict = decide(service, ownVerdict, firstPost);
    if (verdict !== ownVerdict) records.setVerdict(recordId, verdict, clock.now());
    const questions = dueQuestions(sql, service, verdict.status, firstPost?.reply?.questions ?? []);
    const dueScan = onlyDue(deviceScan, questions);
    const done = (last: PostOutcome | undefined): ScanResult => ({
      ...resultOf(service, verdict, { ...(last ?? firstPost) }),
      scan_id: String(recordId),
    });
    if (hasLater(dueScan)) {
      records.addAnswers(recordId, dueScan.laterAnswers, clock.now());
      return done(await post({ ...dueScan.answers, ...dueScan.laterAnswers }, questions, verdict));
    }
    if (questions.length === 0) return done(undefined);
    return asking(done(undefined), questions, { service, scan: dueScan, recordId, receivedAt, verdict, url });
  }

  function asking(result: ScanResult, questions: readonly ReplyQuestion[], waiting: PendingScan): ScanResult {
    const shownQuestions = questions.map(({ id, text, type, options }) => ({ id, text, type, options }));
    return { ...result, asks: { pending_id: pendingScans.add({ ...waiting, questions }), questions: shownQuestions } };
  }

  async function answer(pendingId: string, answers: Readonly<Record<string, string>>): Promise<ScanResult | undefined> {
    const pendingScan = pendingScans.take(pendingId);
    if (!pendingScan) return undefined;
    const scan: DeviceScan = { ...pendingScan.scan, laterAnswers: { ...pendingScan.scan.laterAnswers, ...answers } };
    if (pendingScan.recordId === undefined) {
      return directSecond(scan, pendingScan.url ?? '', { scanId: pendingScan.scanId });
    }
    records.addAnswers(pendingScan.recordId, answers, clock.now());
    const allAnswers = { ...scan.answers, ...scan.laterAnswers };
    const outcome =
      pendingScan.url === undefined
        ? undefined
        : await postman.post(
            pendingScan.url,
            postbackFields(scan, {
              scanId: pendingScan.recordId,
              receivedAt: pendingScan.receivedAt ?? clock.now(),
              verdict: pendingScan.verdict,
              answers: allAnswers,
              questions: questionsOf(pendingScan.service, pendingScan.questions ?? [], allAnswers),
            }),
          );
    const verdict = pendingScan.verdict ?? { status: 1, text: '' };
    return { ...resultOf(pendingScan.service, verdict, { ...outcome }), scan_id: String(pendingScan.recordId) };
  }

  /**
   * Sends a stored scan. One that fails again is stored anew before its old entry is deleted: a crash leaves it twice
   * rather than not at all.
   */
  async function sendKept(
    unsent: UnsentScan,
    service: Service | undefined,
    uploads: Map<string, number>,
  ): Promise<ScanResult> {
    if (!service) return refusedResult('Service deleted', 'The service of this scan was deleted.');
    if (unsent.why === 'not_uploaded') {
      const key = `${unsent.scan.serviceId}/${unsent.scan.userId}`;
      const uploadId = uploads.get(key) ?? records.addUpload(unsent.scan, clock.now());
      uploads.set(key, uploadId);
      return online(service, unsent.scan, clock.now(), uploadId);
    }
    const url = (isDirect(service) ? service.settings.postback_url : service.settings.auto_sync_up_url) ?? '';
    return unsent.second ? directSecond(unsent.scan, url, unsent.second) : direct(service, unsent.scan, url);
  }

  return {
    scan,
    answer,
    upload: (deviceId, serviceOf) => sendAll(deviceId, serviceOf),
  };
}

function isDirect(service: Service): boolean {
  return service.method === 'postback' && service.settings.enable_direct_scan === '1';
}

/** The URL to which the account posts a scan; `undefined` where it does not. */
function postsTo(service: Service, uploaded: boolean): string | undefined {
  const { settings, method } = service;
  if (method === 'postback') return settings.postback_url ?? '';
  const wanted = uploaded ? settings.postback_uploaded_scans : settings.postback_real_time_scans;
  return wanted === '1' && settings.postback_url ? settings.postback_url : undefined;
}

/** The result that counts: the URL's, unless it only receives scans or gave no answer. */
function decide(service: Service, ownVerdict: Verdict | undefined, outcome: PostOutcome | undefined): Verdict {
  const reply = service.settings.postback_receiver_only === '1' ? undefined : outcome?.reply;
  if (reply) return { status: reply.status, text: withPattern(service, 'response', reply.text) };
  return ownVerdict ?? { status: 0, text: 'No answer from the postback URL' };
}

function verdictOf(reply: Reply): Verdict {
  return { status: reply.status, text: reply.text };
}

function sameValue(one: UnsentScan, scan: DeviceScan): boolean {
  return one.scan.serviceId === scan.serviceId && one.scan.value === scan.value;
}

/** Drops answers to questions that depend on the result and were not asked. */
function onlyDue(scan: DeviceScan, questions: readonly ReplyQuestion[]): DeviceScan {
  const due = new Set(questions.map((question) => question.id));
  return { ...scan, laterAnswers: Object.fromEntries(Object.entries(scan.laterAnswers).filter(([id]) => due.has(id))) };
}

function hasLater(scan: DeviceScan): boolean {
  return Object.keys(scan.laterAnswers).length > 0;
}

function questionsOf(service: Service, asked: readonly ReplyQuestion[], answers: Readonly<Record<string, string>>) {
  const known = new Map<number, string>(service.questions.map(({ id, text }) => [id, text]));
  for (const { id, text } of asked) known.set(Number(id), text);
  return Object.keys(answers).map((id) => ({ id: Number(id), text: known.get(Number(id)) ?? '' }));
}
