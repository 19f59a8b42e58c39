/** One scan for display, from the account's record or the relay's. Pure. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { accountTime, accountTimeFormat } from '../codereadr/account-time.js';
import type { Device, Named, RecordedScan, Service, User } from '../codereadr/types.js';
import { geoLocation, placeOf } from './geo-location.js';
import { answerSeparator, isValidated, type ScanRecord, scanKinds, utcMoment } from './received/received-scan-rows.js';
import { validity } from './result-words.js';
import type { Scan } from './scan.js';

const namedShape = z.object({ id: z.string(), name: z.string() }).readonly();

/**
 * One scan. `id` is the account's. `source: relay`: only the relay has it, so far or for good. `at` is absent where the
 * time was invalid; `atText` is the time as it was sent. `value` is the scan's own spelling. `countsAt`: the moment that
 * counts, where the device's clock was wrong. `validatedBy`: the relay that validated it, where no service had.
 * `admitted`: whether it let somebody in though it was not checked. `kind`: what a relay that received it stored of it;
 * `untold`: nothing, as it did before kinds were stored. `was`: what the account's service made of it, which only
 * recorded it, or checked it; absent where nobody saw what the service was.
 */
export const seenScan = z
  .object({
    id: z.string().optional(),
    source: z.enum(['account', 'relay']),
    value: z.string(),
    status: z.enum(['valid', 'invalid', 'not_validated', 'other']),
    result: z.string(),
    at: z.number().optional(),
    atText: z.string(),
    countsAt: z.number().optional(),
    service: namedShape,
    device: namedShape,
    user: namedShape,
    answers: z.array(z.object({ question: z.string(), answer: z.string() }).readonly()).readonly(),
    place: geoLocation.optional(),
    validatedBy: z.string().optional(),
    admitted: z.literal(true).optional(),
    kind: z.enum([...scanKinds, 'untold']).optional(),
    was: z.enum(['receipt', 'checked']).optional(),
  })
  .readonly();

export type SeenScan = z.output<typeof seenScan>;

/** The account's record for display. @param secret names of properties that nobody may see */
export function fromAccount(scan: RecordedScan, secret: readonly string[] = []): SeenScan {
  return {
    id: scan.id,
    source: 'account',
    value: scan.value,
    status: scan.status,
    result: scan.result,
    at: accountTime(scan.timestamp),
    atText: scan.timestamp,
    service: scan.service,
    device: scan.device,
    user: scan.user,
    answers: scan.answers.map(asShown),
    place: placeOf(scan.properties.filter(({ name }) => !secret.includes(name))),
  };
}

/** Names for the ids of a received scan, as far as they are known. */
export interface AccountNames {
  readonly services: readonly Service[];
  readonly users: readonly User[];
  readonly devices: readonly Device[];
}

/** The facts that are needed to show a scan besides the scan itself. */
export interface ScanContext {
  readonly names: AccountNames;
  /** The relays that validate scans themselves. */
  readonly validators: readonly { readonly id: string }[];
  /** Names of properties that nobody may see. */
  readonly secret: readonly string[];
  /** The account's services by id, as they are named now: one service has one name, whatever its scans say. */
  readonly services?: ReadonlyMap<string, string> | undefined;
}

/** The relay that validated a received scan; undefined: the scan came with its result, or was never validated. */
export function validatedBy(
  scan: Pick<ScanRecord, 'relayId' | 'givenStatus' | 'kind'>,
  validators: ScanContext['validators'],
): string | undefined {
  // A scan from before kinds were stored is what its relay's settings of today say.
  const isOfRelay = scan.kind ? scan.kind !== 'receipt' : validators.some(({ id }) => id === scan.relayId);
  return !isValidated(scan) && isOfRelay ? scan.relayId : undefined;
}

const isUnchecked = (scan: ScanRecord | undefined) =>
  scan?.valid === true && (scan.finding === 'unknown_accepted' || scan.kind === 'unchecked');

/** The status in a relay's answer; a scan that the relay let in without a check is not checked. */
export function receivedStatus(scan: ScanRecord, validators: ScanContext['validators']) {
  const isGiven = scan.givenStatus !== '-1' || validatedBy(scan, validators) !== undefined;
  return scan.valid && (isUnchecked(scan) || !isGiven) ? 'not_validated' : validity(scan.valid);
}

/** The status that the account recorded; for a scan that only a relay validated, the relay's. */
export function statusOf({ recorded, received: [first] }: Scan, validators: ScanContext['validators']) {
  const isOfRelay = first && validatedBy(first, validators) !== undefined;
  return !recorded || (isOfRelay && (recorded.status === 'not_validated' || first.finding === 'unknown_accepted'))
    ? receivedStatus(first!, validators)
    : recorded.status;
}

export function seen(scan: Scan, context: ScanContext): SeenScan {
  const seenScan = toSeen(scan, context);
  return seenScan.at === scan.at ? seenScan : { ...seenScan, countsAt: scan.at };
}

function toSeen(scan: Scan, context: ScanContext): SeenScan {
  const [firstReceived] = scan.received;
  if (!scan.recorded) {
    return fromRelay(firstReceived!, context);
  }
  const relay = firstReceived && validatedBy(firstReceived, context.validators);
  const seenScan = fromAccount({ ...scan.recorded, value: scan.value }, context.secret);
  const status = statusOf(scan, context.validators);
  const { id } = seenScan.service;
  return {
    ...seenScan,
    service: { id, name: context.services?.get(id) ?? seenScan.service.name },
    ...(firstReceived && status !== seenScan.status ? { status, result: seenScan.result || firstReceived.text } : {}),
    validatedBy: relay,
    admitted: relay !== undefined && isUnchecked(firstReceived) ? true : undefined,
    kind: firstReceived && (firstReceived.kind ?? 'untold'),
  };
}

function fromRelay(scan: ScanRecord, { names, validators }: ScanContext): SeenScan {
  const relay = validatedBy(scan, validators);
  const device = names.devices.find((d) => d.udid === scan.udid);
  const service = names.services.find((s) => s.id === scan.sid);
  const scannedAt = utcMoment(scan.scannedAtUtc) ?? scan.receivedAt;
  return {
    id: scan.scanid,
    source: 'relay',
    value: scan.tid,
    status: receivedStatus(scan, validators),
    result: scan.text,
    at: scannedAt,
    atText: DateTime.fromMillis(scannedAt, { zone: 'utc' }).toFormat(accountTimeFormat),
    service: named(scan.sid, service?.name),
    device: device ? { id: device.id, name: device.name || device.udid } : named(scan.udid, undefined),
    user: named(scan.userid, names.users.find((u) => u.id === scan.userid)?.username),
    answers: scan.answers.map(asShown),
    place: placeOf(scan.properties),
    validatedBy: relay,
    admitted: relay !== undefined && isUnchecked(scan) ? true : undefined,
    kind: scan.kind ?? 'untold',
  };
}

function asShown(item: { readonly questionId: string; readonly question?: string; readonly answer: string }) {
  return { question: item.question || item.questionId, answer: item.answer.split(answerSeparator).join(', ') };
}

function named(id: string | undefined, name: string | undefined): Named {
  return { id: id ?? '', name: name || id || '' };
}
