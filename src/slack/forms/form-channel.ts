/**
 * The channel in a form: Scandesk joins it before the form is saved. Where another organization reads the channel, the
 * form asks for agreement, with its block named by the channel: another channel needs another agreement.
 */
import type { Block } from '../block-kit/elements.js';
import { enterChannel } from '../bolt/channels.js';
import { checkbox } from './kinds.js';
import { FormProblem, type FormScope } from './settings-form.js';
import type { FormState } from './view-state.js';

class SharedChannel extends FormProblem {}

const agreement = checkbox('Post anyway');

/** @throws FormProblem if Scandesk cannot post in the channel, or needs agreement first. `field`: the channel's. */
export async function enterFormChannel(
  { client, deps, reference }: FormScope,
  channel: string,
  { isAgreed, field = 'channel' }: { readonly isAgreed: boolean; readonly field?: string },
): Promise<void> {
  const entered = await enterChannel(client, channel, { sharedIsFine: isAgreed });
  if (entered.ok) {
    return;
  }
  if (entered.shared) {
    throw new SharedChannel(
      'This channel is shared with another organization, and its people can read every post. To post there, check the box below.',
      field,
    );
  }
  if (entered.cause !== undefined) {
    deps.log.warn({ err: entered.cause, reference }, 'a channel could not be used for a form');
  }
  throw new FormProblem(entered.line, field);
}

/** The names of a form's agreement for each channel: its blocks begin with `prefix`. */
export function agreementOf(prefix: string, action: string) {
  const name = (channel: string) => `${prefix}.shared.${channel}`;
  return {
    isAgreed: (state: FormState, channel: string) => state.ticked(name(channel)),
    /** The agreement, once the form was refused for want of it. */
    draw({ problem, state }: { readonly problem?: FormProblem; readonly state?: FormState }, channel: string): Block[] {
      const isAsked = problem instanceof SharedChannel || state?.has(name(channel));
      const isTicked = state?.ticked(name(channel)) ?? false;
      return isAsked ? [agreement.draw({ name: name(channel), label: 'Shared channel', action }, isTicked)].flat() : [];
    },
  };
}
