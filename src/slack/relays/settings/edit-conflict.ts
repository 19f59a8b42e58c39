/** Errors for settings changes rejected after their form was valid. Each message ends a sentence. */

/** A problem with the settings as a whole. Its message is for the person. */
export class SettingsRejectedError extends Error {
  /** For the audit log. */
  readonly code: string = 'slack.settings_refused';
}

/** Somebody else saved these settings while the form was open. */
export class EditConflictError extends SettingsRejectedError {
  override readonly code = 'slack.changed_meanwhile';

  constructor() {
    super('this was changed while your form was open');
  }
}

/** For a modal that shows the current state. */
export function notSaved(error: SettingsRejectedError): string {
  return error instanceof EditConflictError
    ? `Not saved: ${error.message}. Check the current settings, then make your change again.`
    : `Not saved: ${error.message}.`;
}

/** For a form that keeps what was entered and can be submitted again. */
export function notSavedCanRetry(error: SettingsRejectedError): string {
  return error instanceof EditConflictError
    ? `Not saved: ${error.message}. Save again to overwrite the change, or close and reopen the form to see it.`
    : `Not saved: ${error.message}.`;
}
