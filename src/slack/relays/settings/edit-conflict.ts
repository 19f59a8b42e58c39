/**
 * Owns why a change of a relay's settings is refused that its form was fine with. The messages end a sentence.
 */

/** What the whole of the settings says against it. Its text is for the person. */
export class SettingsRefused extends Error {
  /** For the record. */
  readonly code: string = 'slack.settings_refused';
}

/** Somebody else saved what the form shows while it was open. */
export class ChangedMeanwhile extends SettingsRefused {
  override readonly code = 'slack.changed_meanwhile';

  constructor() {
    super('somebody changed this while your window was open');
  }
}

/** For a window that shows how it stands now. */
export function notSaved(error: SettingsRefused): string {
  return error instanceof ChangedMeanwhile
    ? `Not saved: ${error.message}. Look again at how it is now, then make your change once more.`
    : `Not saved: ${error.message}.`;
}

/** For a form that shows what was entered, and may be sent once more. */
export function notSavedYet(error: SettingsRefused): string {
  return error instanceof ChangedMeanwhile
    ? `Not saved: ${error.message}. Close it and open it again to see how it is now, or save once more to put yours in its place.`
    : `Not saved: ${error.message}.`;
}
