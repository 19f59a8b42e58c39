/** The reason why a lookup's headline says that the barcode was not checked or not confirmed. Pure. */
import { type Failure, mostHelpfulFirst } from '../codereadr/attempt.js';
import type { HeadlineKind } from './headline.js';
import type { Lookup } from './types.js';

/** The failure behind a headline that says not checked or not confirmed. */
export function whyNotChecked(lookup: Lookup, kind: HeadlineKind): Failure | undefined {
  if (kind !== 'not_checked' && kind !== 'not_confirmed') {
    return undefined;
  }
  const { findings, history, gatesFailed, listFailed, asOf } = lookup;
  const parts = [...findings, history].flatMap((part) => (part.kind === 'failed' ? [part.why] : []));
  const failures = [...parts, ...[asOf?.why, gatesFailed, listFailed].flatMap((each) => each ?? [])];
  const [why] = mostHelpfulFirst.flatMap((code) => failures.filter((each) => each.code === code));
  return why ?? failures[0];
}
