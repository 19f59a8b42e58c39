/**
 * The draft of a relay's validation settings: the stored settings, overlaid with what was entered. It is not validated
 * yet; see `read-form.ts`. Pure.
 */
import type { Hours, RelaySettings, ValidationSettings } from '../../../../relay/index.js';
import type { Option } from '../../../block-kit/elements.js';
import { idOption } from '../../../operations/form/resources.js';
import { defaultHours, hoursEntered } from '../hours.js';
import { typedLines } from '../values.js';
import type { FormState } from '../view-state.js';

export const judgingParts = {
  kind: 'judging.kind',
  databases: 'judging.databases',
  unknown: 'judging.unknown',
  share: 'judging.share',
  budget: 'judging.budget',
  listed: 'judging.listed',
  values: 'judging.values',
  file: 'judging.file',
  folded: 'judging.folded',
  pattern: 'judging.pattern',
  matching: 'judging.matching',
  again: 'judging.again',
  againMinutes: 'judging.again.minutes',
  limit: 'judging.limit',
  limitN: 'judging.limit.n',
  limitMinutes: 'judging.limit.minutes',
  timed: 'judging.timed',
  hours: 'judging.hours',
  late: 'judging.late',
} as const;
const parts = judgingParts;

export const mostListed = 10_000;
export const mostDatabases = 10;
export const aWeek = 7 * 24 * 60;
export const aYear = 366 * 24 * 60;

type Kind = ValidationSettings['kind'];

/** The form's values, as far as they are shown. */
export interface JudgingDraft {
  readonly kind: Kind;
  readonly databases: readonly Option[];
  readonly unknown: 'accept' | 'reject';
  readonly share: string;
  /** Seconds. */
  readonly budget: string;
  readonly listed: 'valid' | 'invalid';
  /** Undefined: the list fits no input; it stays unless another one is given. */
  readonly values: string | undefined;
  readonly valueCount: number;
  readonly exact: boolean;
  readonly pattern: string;
  readonly matching: 'valid' | 'invalid';
  readonly again: 'no' | 'ever' | 'within';
  readonly againMinutes: string;
  readonly limit: 'no' | 'value' | 'relay';
  readonly limitN: string;
  readonly limitMinutes: string;
  readonly timed: boolean;
  readonly hours: Hours;
  readonly late: string;
}

export function judgingDraft(
  settings: RelaySettings,
  known: { readonly names: (databaseId: string) => Option | undefined; readonly zone?: string | undefined },
): JudgingDraft {
  const { judging, duplicates, atMost, hours, lateMinutes } = settings;
  const database = judging.kind === 'database' ? judging : undefined;
  const list = judging.kind === 'list' ? judging : undefined;
  const pattern = judging.kind === 'pattern' ? judging : undefined;
  return {
    kind: judging.kind,
    databases: (database?.databaseIds ?? []).map((id) => known.names(id) ?? idOption('database', id)),
    unknown: database?.unknown ?? 'accept',
    share: String(database?.liveShare ?? 30),
    budget: String((database?.budgetMs ?? 3_000) / 1_000),
    listed: list?.listed ?? 'valid',
    values: list ? typedLines(list.values) : '',
    valueCount: list?.values.length ?? 0,
    exact: list?.exact ?? true,
    pattern: pattern?.pattern ?? '',
    matching: pattern?.matching ?? 'valid',
    again: duplicates === undefined ? 'no' : duplicates.withinMinutes === undefined ? 'ever' : 'within',
    againMinutes: String(duplicates?.withinMinutes ?? 10),
    limit: atMost?.of ?? 'no',
    limitN: String(atMost?.n ?? 1),
    limitMinutes: atMost?.withinMinutes === undefined ? '' : String(atMost.withinMinutes),
    timed: hours !== undefined,
    hours: hours ?? defaultHours(known.zone),
    late: String(lateMinutes),
  };
}

/** What was entered, over the former draft. */
export function judgingEntered(entered: FormState, before: JudgingDraft): JudgingDraft {
  const text = (name: string, was: string) => (entered.has(name) ? entered.text(name) : was);
  const choice = <T extends string>(name: string, was: T) => (entered.choice(name) as T | undefined) ?? was;
  return {
    ...before,
    kind: choice(parts.kind, before.kind),
    databases: entered.has(parts.databases) ? entered.options(parts.databases) : before.databases,
    unknown: choice(parts.unknown, before.unknown),
    share: text(parts.share, before.share),
    budget: text(parts.budget, before.budget),
    listed: choice(parts.listed, before.listed),
    values: valuesEntered(entered, before),
    exact: entered.has(parts.folded) ? !entered.ticked(parts.folded) : before.exact,
    pattern: text(parts.pattern, before.pattern),
    matching: choice(parts.matching, before.matching),
    again: choice(parts.again, before.again),
    againMinutes: text(parts.againMinutes, before.againMinutes),
    limit: choice(parts.limit, before.limit),
    limitN: text(parts.limitN, before.limitN),
    limitMinutes: text(parts.limitMinutes, before.limitMinutes),
    timed: entered.has(parts.timed) ? entered.ticked(parts.timed) : before.timed,
    hours: hoursEntered(entered, parts.hours, before.hours),
    late: text(parts.late, before.late),
  };
}

/** An empty input that could not show the list does not clear it. */
function valuesEntered(entered: FormState, before: JudgingDraft): string | undefined {
  const typed = entered.has(parts.values) ? entered.text(parts.values) : (before.values ?? '');
  return typed === '' ? before.values && '' : typed;
}
