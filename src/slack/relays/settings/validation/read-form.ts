/** Reads the validation form: a settings change, or errors by field. A collapsed field keeps its value. */
import { type RelaySettings, validationSchema } from '../../../../relay/index.js';
import type { Errors, FormFile, FormState } from '../../../forms/view-state.js';
import { SettingsRejectedError } from '../etag.js';
import type { Change } from '../save.js';
import { validationForm } from './form.js';

export interface ValidationChange {
  readonly change: Change;
  /** The file whose lines replace the list of barcodes. */
  readonly file?: FormFile | undefined;
}

/** Reads the form. `keepsList`: the stored list did not fit the form, and stays if nothing was entered. */
export function readValidation(
  state: FormState,
  keepsList: boolean,
): { readonly errors: Errors } | { readonly sent: ValidationChange } {
  const errors: Errors = {};
  const values = validationForm.read(state, errors);
  const { file, again, 'again.minutes': withinMinutes, values: typedValues = [], ...others } = values;
  const isKept = values.kind === 'list' && typedValues.length === 0 && !file;
  if (values.kind === 'list') {
    if (typedValues.length > 0 && file) {
      errors[validationForm.nameOf('file')] = 'Enter barcodes or upload a file, not both.';
    } else if (isKept && !keepsList) {
      errors[validationForm.nameOf('values')] = 'Enter at least one barcode, or upload a file.';
    }
  }
  if (Object.keys(errors).length > 0) {
    return { errors };
  }
  return {
    sent: {
      file,
      change(before) {
        const listed = isKept ? before.judging.kind === 'list' && before.judging.values : typedValues;
        if (!listed) {
          throw new SettingsRejectedError('the list to keep was deleted');
        }
        const after = validationForm.write(before, { ...others, values: listed });
        const duplicates = again === 'ever' || again === 'within' ? { withinMinutes } : undefined;
        return { ...after, judging: validationSchema.parse(after.judging), duplicates };
      },
    },
  };
}

/** A change with a file's list in place of the typed one. */
export function withList(change: Change, values: readonly string[]): Change {
  return (before) => {
    const settings: RelaySettings = change(before);
    return settings.judging.kind === 'list'
      ? { ...settings, judging: { ...settings.judging, values: [...values] } }
      : settings;
  };
}
