/**
 * The law of relays: nobody is admitted whom no database held valid at the age that is stated, or beyond the limit;
 * nobody is kept out for a reason that was not true.
 */
import {
  ageText,
  countedBackMs,
  folded,
  type GateResult,
  momentOf,
  products,
  type RelayTruth,
  readingOf,
  type ScanTruth,
  scanText,
  withinMs,
} from './truth.js';

/** A relay's answer to a scan that is no repeat. */
export interface GateAnswer {
  readonly relay: RelayTruth;
  readonly scan: Pick<ScanTruth, 'text' | 'made' | 'arrived'>;
  readonly result: GateResult;
  readonly admitted: boolean;
  readonly shown: string;
  /** The stated time of each database's copy; the time of the question where the account was asked. */
  readonly databasesAt: readonly number[];
  readonly undisturbed: boolean;
}

/** @param before the scans that this relay was sent earlier */
export function judgeGate(answer: GateAnswer, before: readonly ScanTruth[]): string[] {
  const { relay, scan, result, admitted, undisturbed, shown } = answer;
  const wrong: string[] = [];
  const statesOf = (text: string) =>
    products(relay.databases.map((one, at) => [...one.since(text, answer.databasesAt[at] ?? scan.arrived)]));
  const reading = relay.readings ? readingOf(scan.text) : undefined;
  // A reading counts where no database holds the text itself.
  const worlds = [...statesOf(scan.text)].flatMap((states) =>
    reading !== undefined && states.every((held) => held === undefined) ? [...statesOf(reading)] : [states],
  );
  const deciding = worlds.map((states) => states.findIndex((held) => held !== undefined));
  const says = new Set(worlds.map((states, at) => states[deciding[at] ?? -1] === true));
  const isUncheckedRepeat = !undisturbed && relay.acceptsUnknown && (result === 'duplicate' || result === 'limit');
  const rules = new Set(deciding.map((at) => relay.databases[at]?.ignoresCase ?? false));
  if (result === 'unknown_accepted' || result === 'unknown_rejected') {
    if (undisturbed && !shown.includes('calls left')) {
      wrong.push(`not sure though the account answers: ${shown}`);
    }
  } else if (result === 'invalid' ? !says.has(false) : !says.has(true) && result !== 'late' && !isUncheckedRepeat) {
    wrong.push(
      `answers ${result}; the databases said ${[...says].map((valid) => (valid ? 'valid' : 'not valid')).join(' or ')}`,
    );
  }
  const { limit } = relay;
  const isTooLate = scan.arrived - scan.made > countedBackMs;
  if (result === 'late' && (!isTooLate || limit.kind === 'none' || !Number.isFinite(withinMs(limit)))) {
    wrong.push(`says that a scan made ${ageText(scan.arrived - scan.made)} ago is too late to be counted: ${shown}`);
  }
  if (limit.kind === 'none') {
    return ['duplicate', 'limit', 'late'].includes(result)
      ? [...wrong, `answers ${result}, which it does not check`]
      : wrong;
  }
  if (admitted && isTooLate && Number.isFinite(withinMs(limit))) {
    wrong.push(`admits a scan made ${ageText(scan.arrived - scan.made)} ago, which cannot be counted`);
  }
  const most = limit.kind === 'duplicates' ? 1 : limit.n;
  const near = before.filter(
    (one) =>
      one.gate?.admitted &&
      Math.abs(momentOf(one) - momentOf(scan)) < withinMs(limit) &&
      (limit.kind === 'atMost' && limit.of === 'relay' ? true : folded(one.text) === folded(scan.text)),
  );
  const sameRule = !rules.has(false);
  const surely = near.filter(
    (one) => (limit.kind === 'atMost' && limit.of === 'relay') || one.text === scan.text || sameRule,
  );
  if (admitted && surely.length >= most) {
    wrong.push(
      `admits, though ${surely.length} of at most ${most} were admitted within ${limit.minutes} minutes: ${surely.map(scanText).join(', ')}`,
    );
  }
  if ((result === 'duplicate' || result === 'limit') && near.length < most) {
    wrong.push(
      `answers ${result}, though ${near.length} of at most ${most} were admitted within ${limit.minutes} minutes`,
    );
  }
  return wrong;
}
