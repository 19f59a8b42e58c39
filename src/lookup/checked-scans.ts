/**
 * The scans on which a headline rests, each with the validator that checked it; and admissions by deleted scans, as far
 * as these were counted. Pure.
 */
import type { SeenScan } from '../scans/seen-scan.js';
import type { Validator } from './types.js';

const minuteMs = 60_000;

export interface CheckedScan {
  readonly scan: SeenScan;
  readonly validator: Validator;
}

/** The last admission by a deleted scan, as a scan; undefined where there is none, or a stored scan says as much. */
export function admittedBefore(
  validator: Validator,
  scans: readonly CheckedScan[],
  now: number,
): CheckedScan | undefined {
  const admittedAt = validator.thrownAway?.admittedAt;
  const noUser = { id: '', name: '' };
  // Whether a stored scan counts as much as the deleted one, and says more.
  const saysAsMuch = ({ scan, validator: by }: CheckedScan) =>
    by === validator && isAdmission(scan) && (validator.once === undefined || blocksAdmission(validator, scan, now));
  return admittedAt === undefined || scans.some(saysAsMuch)
    ? undefined
    : {
        validator,
        scan: {
          source: 'relay',
          value: '',
          status: 'valid',
          result: '',
          at: admittedAt,
          atText: '',
          answers: [],
          service: { id: '', name: validator.name },
          device: noUser,
          user: noUser,
          validatedBy: validator.id,
        },
      };
}

/** Both lists of scans together, newest first; stored scans stay in their order. */
export function mergeByTime(stored: readonly CheckedScan[], gone: readonly CheckedScan[]): readonly CheckedScan[] {
  return gone.reduce<readonly CheckedScan[]>((all, one) => {
    const older = all.findIndex(({ scan }) => scan.at !== undefined && scan.at < (one.scan.at ?? 0));
    const before = older === -1 ? all.length : older;
    return [...all.slice(0, before), one, ...all.slice(before)];
  }, stored);
}

/** Whether the account has the scan and no relay validated it: its deletion there leaves no trace in Scandesk. */
export function isDeletable(scan: Pick<SeenScan, 'source' | 'validatedBy'> | undefined): boolean {
  return scan?.source === 'account' && scan.validatedBy === undefined;
}

/** Whether the scan let somebody in, checked or not. */
export function isAdmission({ status, admitted }: Pick<SeenScan, 'status' | 'admitted'>): boolean {
  return status === 'valid' || admitted === true;
}

/** Whether the scan has a result: one that could not be checked has none, unless it was admitted all the same. */
export function isResult(scan: Pick<SeenScan, 'status' | 'admitted'>): boolean {
  return isAdmission(scan) || scan.status === 'invalid';
}

/** Whether the scan is a record alone: of a relay that accepts everything, or a service that only recorded. */
export function isReceipt({ kind, source, was }: Pick<SeenScan, 'kind' | 'source' | 'was'>): boolean {
  return was === 'receipt' || (kind === 'receipt' && source === 'relay');
}

/** The validator that checked the scan: the relay that did, else the service with which it was made. */
export function validatorOf(scan: SeenScan, validators: readonly Validator[]): Validator | undefined {
  if (scan.validatedBy !== undefined) {
    return validators.find(({ relay, id }) => relay && id === scan.validatedBy);
  }
  const ofService = validators.filter(({ serviceIds }) => serviceIds.includes(scan.service.id));
  const checking = ofService.filter(({ receives }) => !receives);
  // The account files a relay's answer as a scan of the service; the relay's own record is handled above.
  const answering = checking.find(({ relay }) => !relay) ?? (scan.source === 'account' ? checking[0] : undefined);
  return answering ?? ofService.find(({ receives }) => receives);
}

/** Whether the scan came through a service that is not among the gates; never where a relay validated it. */
export function isUnlisted(
  { validatedBy, service }: SeenScan,
  validators: readonly Pick<Validator, 'serviceIds'>[],
): boolean {
  return validatedBy === undefined && !validators.some(({ serviceIds }) => serviceIds.includes(service.id));
}

/** Whether this admission prevents another one at the validator, which says so itself where it can. */
export function blocksAdmission(
  { once, now: admits }: Validator,
  { at: saidAt, countsAt: at = saidAt }: SeenScan,
  now: number,
): boolean {
  const { withinMinutes } = once ?? {};
  if (admits !== undefined) {
    return admits === 'blocks';
  }
  return once !== undefined && (withinMinutes === undefined || at === undefined || now - at < withinMinutes * minuteMs);
}
