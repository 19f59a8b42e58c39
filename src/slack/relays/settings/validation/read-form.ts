/** Reads the validation form: a settings change, or errors by field. A collapsed field keeps its value. */
import { type RelaySettings, type ValidationSettings, validationSchema } from '../../../../relay/index.js';
import type { Errors, FormFile, FormState } from '../../../forms/view-state.js';
import { SettingsRejectedError } from '../etag.js';
import type { Change } from '../save.js';
import { validationForm } from './form.js';

export interface ValidationChange {
  readonly change: Change;
  /** Its lines are the list. */
  readonly file?: FormFile | undefined;
}

/** `keepsList`: the stored list did not fit the form, and stays if nothing was entered. */
export function readValidation(
  state: FormState,
  keepsList: boolean,
): { readonly errors: Errors } | { readonly sent: ValidationChange } {
  const errors: Errors = {};
  const values = validationForm.read(state, errors);
  const { file, again, limit, hours, late: lateMinutes, 'limit.n': n } = values;
  if (values.kind === 'list') {
    const typed = values.values?.length ?? 0;
    if (typed > 0 && file) {
      errors[validationForm.nameOf('file')] = 'Enter barcodes or upload a file, not both.';
    } else if (typed === 0 && !file && !keepsList) {
      errors[validationForm.nameOf('values')] = 'Enter at least one barcode, or upload a file.';
    }
  }
  if (Object.keys(errors).length > 0) {
    return { errors };
  }
  const within = (withinMinutes: number | undefined) => (withinMinutes === undefined ? {} : { withinMinutes });
  const isLimited = n !== undefined && limit !== undefined && limit !== 'no';
  return {
    sent: {
      file,
      change: ({ duplicates: _d, atMost: _a, hours: _h, ...settings }) => ({
        ...settings,
        judging: judgingOf(values, settings.judging),
        ...(again === 'ever' || again === 'within' ? { duplicates: within(values['again.minutes']) } : {}),
        ...(isLimited ? { atMost: { n, of: limit, ...within(values['limit.minutes']) } } : {}),
        ...(hours ? { hours } : {}),
        ...(lateMinutes === undefined ? {} : { lateMinutes }),
      }),
    },
  };
}

function judgingOf(values: ReturnType<typeof validationForm.read>, before: ValidationSettings): ValidationSettings {
  switch (values.kind) {
    case 'database':
      return validationSchema.parse({
        ...(before.kind === 'database' ? before : {}),
        kind: 'database',
        databaseIds: values.databases,
        unknown: values.unknown,
        ...(values.share === undefined ? {} : { liveShare: values.share }),
        ...(values.budget === undefined ? {} : { budgetMs: values.budget }),
      });
    case 'list': {
      const { values: typed = [], file, listed = 'valid' } = values;
      const exact = !values.folded;
      if (typed.length > 0 || file) {
        return { kind: 'list', values: [...typed], exact, listed };
      }
      if (before.kind !== 'list') {
        throw new SettingsRejectedError('the list to keep was deleted');
      }
      return { ...before, exact, listed };
    }
    case 'pattern':
      return { kind: 'pattern', pattern: values.pattern ?? '', matching: values.matching ?? 'valid' };
    default:
      return { kind: 'accept' };
  }
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
