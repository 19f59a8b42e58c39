/** One scan for display, from the account's record or the relay's. Pure. */
import { DateTime } from 'luxon';
import { z } from 'zod';
import { accountTime, accountTimeFormat } from '../codereadr/account-time.js';
import type { Device, Named, RecordedScan, Service, User } from '../codereadr/types.js';
import { geoLocation, placeOf } from './geo-location.js';
import type { ReceivedScanRecord } from './received/table.js';

const namedShape = z.object({ id: z.string(), name: z.string() }).readonly();

/**
 * One scan. `id` is the account's, absent where only the relay has it (`source: relay`: a direct scan, which the
 * account never stores). `at` is absent where the time was invalid; `atText` is what came. `value` is the scan's own
 * spelling. `validatedBy`: the relay that validated it, where no service had.
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
    service: namedShape,
    device: namedShape,
    user: namedShape,
    answers: z.array(z.object({ question: z.string(), answer: z.string() }).readonly()).readonly(),
    place: geoLocation.optional(),
    validatedBy: z.string().optional(),
  })
  .readonly();

export type SeenScan = z.output<typeof seenScan>;

/** How a device joins several answers to one question (contract, section 5). */
const betweenAnswers = '|^|';

export function fromAccount(scan: RecordedScan): SeenScan {
  const at = accountTime(scan.timestamp);
  const place = placeOf(scan.properties);
  return {
    id: scan.id,
    source: 'account',
    value: scan.value,
    status: scan.status,
    result: scan.result,
    ...(at === undefined ? {} : { at }),
    atText: scan.timestamp,
    service: scan.service,
    device: scan.device,
    user: scan.user,
    answers: scan.answers.map(asShown),
    ...(place ? { place } : {}),
  };
}

/** Names for the ids of a received scan, as far as they are known. */
export interface AccountNames {
  readonly services: readonly Service[];
  readonly users: readonly User[];
  readonly devices: readonly Device[];
}

/** @param validatedBy the relay, where it validated the scan itself */
export function fromRelay(
  scan: Omit<ReceivedScanRecord, 'receivedAt'>,
  names: AccountNames,
  validatedBy?: string,
): SeenScan {
  const unchecked = scan.givenStatus === '-1' && validatedBy === undefined;
  const place = placeOf(scan.properties);
  const device = names.devices.find((d) => d.udid === scan.udid);
  return {
    ...(scan.scanId === undefined ? {} : { id: scan.scanId }),
    source: 'relay',
    value: scan.value,
    status: unchecked ? 'not_validated' : scan.valid ? 'valid' : 'invalid',
    result: scan.text,
    at: scan.at,
    atText: DateTime.fromMillis(scan.at, { zone: 'utc' }).toFormat(accountTimeFormat),
    service: named(scan.serviceId, names.services.find((s) => s.id === scan.serviceId)?.name),
    device: device ? { id: device.id, name: device.name || device.udid } : named(scan.udid, undefined),
    user: named(scan.userId, names.users.find((u) => u.id === scan.userId)?.username),
    answers: scan.answers.map(asShown),
    ...(place ? { place } : {}),
    ...(validatedBy === undefined ? {} : { validatedBy }),
  };
}

function asShown(given: { readonly questionId: string; readonly question?: string; readonly answer: string }) {
  return { question: given.question || given.questionId, answer: given.answer.split(betweenAnswers).join(', ') };
}

function named(id: string | undefined, name: string | undefined): Named {
  return { id: id ?? '', name: name || id || '' };
}
