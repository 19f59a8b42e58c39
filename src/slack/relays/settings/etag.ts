/**
 * Optimistic locking of settings forms: version tags, one for the settings that each form shows, and the errors of
 * changes rejected after their form was valid. An error's message is the end of the sentence `Not saved: …`.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { type RelaySettings, type Rule, storedRule } from '../../../relay/index.js';
import type { Relay } from '../../../relay/relays/types.js';
import { origin } from '../../bolt/metadata.js';

/** The metadata that a relay's settings modals share. `seen`: the version that the form was opened on. */
export const relayOrigin = { ...origin, relay: z.string(), seen: z.string().optional() };

/** The letters that a version tag keeps of its hash: enough to tell versions apart. */
const letters = 12;

export function versionOf(part: unknown): string {
  return hash('sha256', JSON.stringify(part ?? null), 'base64url').slice(0, letters);
}

/** The settings that each form shows. A rule's form leaves out whether the rule is on, which is set in the list. */
export const shownPart = {
  judging: ({ judging, duplicates, atMost, hours, lateMinutes }: RelaySettings) => [
    judging,
    duplicates,
    atMost,
    hours,
    lateMinutes,
  ],
  security: ({ secretProperty, networks, names }: RelaySettings) => [secretProperty, networks, names],
  answer: (finding: keyof RelaySettings['answers']) => (settings: RelaySettings) => settings.answers[finding],
  question: (id: string | undefined) => (settings: RelaySettings) => settings.questions.find((each) => each.id === id),
  rule: (id: string | undefined) => (settings: RelaySettings) => {
    const found = settings.rules.find((each) => each.id === id);
    const { on: _, ...rule } = found ? (storedRule(found) as Partial<Rule>) : {};
    return found && rule;
  },
  relay: ({ serviceIds, channel, notable }: Pick<Relay, 'serviceIds' | 'channel' | 'notable'>) => [
    serviceIds,
    channel,
    notable,
  ],
} as const;

/** The version that a form was opened on; undefined for a new question, and in a form older than versions. */
export interface SettingsVersion {
  readonly part: (settings: RelaySettings) => unknown;
  readonly version: string | undefined;
}

/** Refuses a change if the part differs from the version, where there is one. @throws EditConflictError */
export function assertUnchanged(part: unknown, version: string | undefined): void {
  if (version !== undefined && version !== versionOf(part)) {
    throw new EditConflictError();
  }
}

/** A problem with the settings as a whole. Its message is for the person. */
export class SettingsRejectedError extends Error {
  /** The code under which the audit log has the refusal. */
  readonly code: string = 'slack.settings_refused';
}

/** Somebody else saved these settings while the form was open. */
export class EditConflictError extends SettingsRejectedError {
  override readonly code = 'slack.changed_meanwhile';

  constructor() {
    super('this was changed while your form was open');
  }
}

/** The message of a rejected change, for a modal that shows the current state. */
export function notSaved(error: SettingsRejectedError): string {
  return error instanceof EditConflictError
    ? `Not saved: ${error.message}. Check the current settings, then make your change again.`
    : `Not saved: ${error.message}.`;
}

/** The message of a rejected change, for a form that keeps the entered values and can be submitted again. */
export function notSavedCanRetry(error: SettingsRejectedError): string {
  return error instanceof EditConflictError
    ? `Not saved: ${error.message}. Save again to overwrite the change, or close and reopen the form to see it.`
    : `Not saved: ${error.message}.`;
}
