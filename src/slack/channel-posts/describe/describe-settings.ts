/** A relay's settings as text: validation, responses, security and rules, in one line each. Pure. */
import { unnamed } from '../../../codereadr/names.js';
import { countOf, describeMinutes, listOf, plural } from '../../../english.js';
import { describeHours, hasIncidents, type Relay, type RelaySettings, type ResultCode } from '../../../relay/index.js';
import { postedText } from './describe-relay.js';

/** The result codes that a relay with these settings can give a scan. */
export function possibleResultCodes({ judging, duplicates, hours, atMost }: RelaySettings): readonly ResultCode[] {
  return [
    'valid',
    'invalid',
    ...(duplicates ? (['duplicate'] as const) : []),
    ...(hours ? (['outside_hours'] as const) : []),
    ...(atMost ? (['limit'] as const) : []),
    ...(duplicates?.withinMinutes || atMost?.withinMinutes ? (['too_late'] as const) : []),
    ...(judging.kind === 'database'
      ? [judging.unknown === 'accept' ? ('unknown_accepted' as const) : ('unknown_rejected' as const)]
      : []),
  ];
}

type DatabaseNameOf = (databaseId: string) => string;

/**
 * `checked against Tickets · limit: 3 per barcode · all unless the service says otherwise`: a scan that the service
 * validated keeps its result, whatever is set here.
 */
export function describeValidation(
  settings: RelaySettings,
  databaseName: DatabaseNameOf = (id) => unnamed('database', id),
): string {
  const { duplicates, atMost, hours } = settings;
  const parts = [
    describeValidationMethod(settings.judging, databaseName),
    ...(duplicates ? [`repeat scans: ${describeRepeats(duplicates)}`] : []),
    ...(atMost ? [`limit: ${describeLimit(atMost)}`] : []),
    ...(hours ? [`active ${describeHours(hours)}`] : []),
  ];
  return `${parts.join(' · ')}${parts.length === 1 ? ',' : ' · all'} unless the service says otherwise`;
}

export function describeList(listed: 'valid' | 'invalid', count: number): string {
  const barcodes = `${countOf(count, 'listed barcode')} ${plural(count, 'is', 'are')}`;
  return listed === 'valid' ? `only ${barcodes} valid` : `${barcodes} not valid`;
}

export function describeRepeats({ withinMinutes }: NonNullable<RelaySettings['duplicates']>): string {
  return withinMinutes === undefined ? 'always duplicates' : `duplicates ${withinText(withinMinutes)}`;
}

export function describeLimit({ n, of, withinMinutes }: NonNullable<RelaySettings['atMost']>): string {
  const limitText = `${n.toLocaleString('en-US')} ${of === 'value' ? 'per barcode' : 'in total'}`;
  return withinMinutes === undefined ? limitText : `${limitText} ${withinText(withinMinutes)}`;
}

/** The method by which a relay decides whether a scan is valid. */
export function describeValidationMethod(judging: RelaySettings['judging'], databaseName: DatabaseNameOf): string {
  switch (judging.kind) {
    case 'accept':
      return 'every scan is valid';
    case 'database':
      return `checked against ${listOf(judging.databaseIds.map(databaseName))}${judging.readings ? ', also by equal readings' : ''}`;
    case 'list':
      return describeList(judging.listed, judging.values.length);
    case 'pattern':
      return judging.matching === 'valid'
        ? 'barcodes that match a pattern are valid'
        : 'barcodes that match a pattern are not valid';
  }
}

function withinText(minutes: number): string {
  return `within ${describeMinutes(minutes)}`;
}

/** The responses and questions of a relay's own; empty for the default responses. */
export function describeResponses({ answers, questions }: RelaySettings): string {
  const customCount = Object.keys(answers).length;
  return [
    ...(customCount > 0 ? [countOf(customCount, 'custom response')] : []),
    ...(questions.length > 0 ? [countOf(questions.length, 'question')] : []),
  ].join(' · ');
}

export function describeSecurity({ secretProperty, networks, names }: RelaySettings): string {
  const checks = [
    ...(secretProperty ? ['a secret property'] : []),
    ...(networks.length > 0 ? [countOf(networks.length, 'allowed network')] : []),
  ];
  const acceptedSenders = checks.length === 0 ? 'anyone with the webhook URL' : `webhook URL plus ${listOf(checks)}`;
  return Object.keys(names).length > 0 ? `${acceptedSenders} · custom variable names` : acceptedSenders;
}

/** What the relay posts, in one line: `Every scan`; with rules, `3 rules, 1 alert · only the first match posts`. */
export function describeRules(relay: Pick<Relay, 'notable' | 'channel' | 'settings'>): string {
  const { rules, match } = relay.settings;
  const activeCount = rules.filter((rule) => rule.on).length;
  const inactiveCount = rules.length - activeCount;
  return [
    postedText(relay),
    ...(activeCount > 1 && match === 'first' ? ['only the first match posts'] : []),
    ...(inactiveCount > 0 ? [`${inactiveCount} off`] : []),
  ].join(' · ');
}

/** The posts of a relay without rules. */
export function describeUnruled(notable: Relay['notable']): string {
  return notable === 'all' ? 'every scan is posted' : 'scans that are not valid are posted';
}

/** The scans that a relay with rules leaves unposted. */
export function describeUnposted({ rules }: Pick<RelaySettings, 'rules'>): string {
  const activeRules = rules.filter((rule) => rule.on);
  const posting = activeRules.filter(({ action }) => action === 'post');
  if (posting.length === 0) {
    return 'No rule that posts is on, so nothing is posted.';
  }
  if (posting.some(({ when, unless }) => unless.length === 0 && when.every(({ kind }) => kind === 'every'))) {
    return `Every scan is posted${activeRules.some(({ action }) => action === 'stop') ? ', except those that a rule stops' : ''}.`;
  }
  return posting.every(hasIncidents)
    ? 'Only alerts are posted, no single scans.'
    : 'Scans that match no rule are not posted.';
}
