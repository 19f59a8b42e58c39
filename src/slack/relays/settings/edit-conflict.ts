/** Errors for settings changes rejected after their form was valid. Each message ends a sentence. */

/** A problem with the settings as a whole. Its message is for the person. */
export class SettingsRefused extends Error {
  /** For the audit log. */
  readonly code: string = 'slack.settings_refused';
}

/** Somebody else saved these settings while the form was open. */
export class ChangedMeanwhile extends SettingsRefused {
  override readonly code = 'slack.changed_meanwhile';

  constructor() {
    super('somebody changed this while your window was open');
  }
}

/** For a modal that shows the current state. */
export function notSaved(error: SettingsRefused): string {
  return error instanceof ChangedMeanwhile
    ? `Not saved: ${error.message}. Look again at how it is now, then make your change once more.`
    : `Not saved: ${error.message}.`;
}

/** For a form that keeps what was entered and can be submitted again. */
export function notSavedYet(error: SettingsRefused): string {
  return error instanceof ChangedMeanwhile
    ? `Not saved: ${error.message}. Close it and open it again to see how it is now, or save once more to put yours in its place.`
    : `Not saved: ${error.message}.`;
}
