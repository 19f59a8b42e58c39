/** Reads the validation form: a settings change, or errors by field. A collapsed field keeps its value. Pure. */
import { type RelaySettings, type ValidationSettings, validationSchema } from '../../../../relay/index.js';
import type { GivenFile } from '../../../operations/form/held.js';
import { SettingsRejectedError } from '../edit-conflict.js';
import { readHours } from '../hours.js';
import type { Change } from '../save.js';
import { readLines } from '../values.js';
import { type Errors, type FormState, integerIn, patternIn } from '../view-state.js';
import { aWeek, aYear, judgingParts as parts } from './draft.js';

export interface JudgingSent {
  readonly change: Change;
  /** Its lines are the list. */
  readonly file?: GivenFile;
}

export type JudgingRead = { readonly errors: Errors } | { readonly sent: JudgingSent };

/** `kept`: the stored list did not fit the form, and stays if nothing was entered. */
export function readJudging(entered: FormState, kept: boolean): JudgingRead {
  const errors: Errors = {};
  const judging = judgingIn(entered, kept, errors);
  const duplicates = duplicatesIn(entered, errors);
  const atMost = limitIn(entered, errors);
  const hours = entered.ticked(parts.timed) ? readHours(entered, parts.hours, errors) : undefined;
  const lateMinutes = entered.has(parts.late)
    ? integerIn(entered, parts.late, { min: 1, max: aWeek }, errors)
    : undefined;
  if (Object.keys(errors).length > 0) {
    return { errors };
  }
  const file = entered.choice(parts.kind) === 'list' ? entered.file(parts.file) : undefined;
  return {
    sent: {
      ...(file ? { file } : {}),
      change: ({ duplicates: _d, atMost: _a, hours: _h, ...settings }) => ({
        ...settings,
        judging: judging(settings.judging),
        ...(duplicates ? { duplicates } : {}),
        ...(atMost ? { atMost } : {}),
        ...(hours ? { hours } : {}),
        ...(lateMinutes === undefined ? {} : { lateMinutes }),
      }),
    },
  };
}

/** From the former validation settings to the new ones. */
type JudgingChange = (before: ValidationSettings) => ValidationSettings;

function judgingIn(entered: FormState, kept: boolean, errors: Errors): JudgingChange {
  const accept: ValidationSettings = { kind: 'accept' };
  switch (entered.choice(parts.kind)) {
    case 'database':
      return databaseIn(entered, errors);
    case 'list':
      return listIn(entered, kept, errors);
    case 'pattern': {
      const pattern = patternIn(entered, parts.pattern, errors);
      const matching = entered.choice(parts.matching) === 'invalid' ? 'invalid' : 'valid';
      return () => ({ kind: 'pattern', pattern, matching });
    }
    default:
      return () => accept;
  }
}

function databaseIn(entered: FormState, errors: Errors): JudgingChange {
  const databaseIds = [...entered.choices(parts.databases)];
  if (databaseIds.length === 0) {
    errors[parts.databases] = 'Choose at least one database.';
  }
  const unknown = entered.choice(parts.unknown) === 'reject' ? 'reject' : 'accept';
  const liveShare = entered.has(parts.share)
    ? integerIn(entered, parts.share, { min: 0, max: 100 }, errors)
    : undefined;
  const budgetMs = entered.has(parts.budget) ? budgetIn(entered, errors) : undefined;
  return (before) =>
    validationSchema.parse({
      ...(before.kind === 'database' ? before : {}),
      kind: 'database',
      databaseIds,
      unknown,
      ...(liveShare === undefined ? {} : { liveShare }),
      ...(budgetMs === undefined ? {} : { budgetMs }),
    });
}

function budgetIn(entered: FormState, errors: Errors): number | undefined {
  const text = entered.text(parts.budget).trim();
  const seconds = Number(text);
  if (/^\d{1,2}(\.\d{1,3})?$/.test(text) && seconds <= 10) {
    return Math.round(seconds * 1_000);
  }
  errors[parts.budget] = 'Enter seconds from 0 to 10.';
  return undefined;
}

function listIn(entered: FormState, kept: boolean, errors: Errors): JudgingChange {
  const typed = entered.text(parts.values);
  const file = entered.file(parts.file);
  if (typed !== '' && file) {
    errors[parts.file] = 'Enter barcodes or upload a file, not both.';
  }
  const values = [...readLines(typed)];
  if (values.length === 0 && !file && !kept) {
    errors[parts.values] = 'Enter at least one barcode, or upload a file.';
  }
  const listed = entered.choice(parts.listed) === 'invalid' ? 'invalid' : 'valid';
  const exact = !entered.ticked(parts.folded);
  return (before) => {
    if (values.length > 0 || file) {
      return { kind: 'list', values, exact, listed };
    }
    if (before.kind !== 'list') {
      throw new SettingsRejectedError('the list to keep was deleted');
    }
    return { ...before, exact, listed };
  };
}

/** A file's list replaces the typed one. */
export function withList(change: Change, values: readonly string[]): Change {
  return (before) => {
    const settings: RelaySettings = change(before);
    return settings.judging.kind === 'list'
      ? { ...settings, judging: { ...settings.judging, values: [...values] } }
      : settings;
  };
}

function duplicatesIn(entered: FormState, errors: Errors): RelaySettings['duplicates'] {
  switch (entered.choice(parts.again)) {
    case 'ever':
      return {};
    case 'within': {
      const withinMinutes = integerIn(entered, parts.againMinutes, { min: 1, max: aYear }, errors);
      return withinMinutes === undefined ? undefined : { withinMinutes };
    }
    default:
      return undefined;
  }
}

function limitIn(entered: FormState, errors: Errors): RelaySettings['atMost'] {
  const of = entered.choice(parts.limit);
  if (of !== 'value' && of !== 'relay') {
    return undefined;
  }
  const n = integerIn(entered, parts.limitN, { min: 1, max: 1_000_000 }, errors);
  const ever = entered.text(parts.limitMinutes).trim() === '';
  const withinMinutes = ever ? undefined : integerIn(entered, parts.limitMinutes, { min: 1, max: aYear }, errors);
  return n === undefined ? undefined : { n, of, ...(withinMinutes === undefined ? {} : { withinMinutes }) };
}
