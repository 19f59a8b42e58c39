/** The modal that shows a service setup step by step, while it runs and when it has ended. Pure. */
import { z } from 'zod';
import {
  actions,
  type Block,
  button,
  type Message,
  type ModalView,
  message,
  modalView,
} from '../../block-kit/elements.js';
import { bold, escaped, type LinePart, richText } from '../../block-kit/text.js';
import { encode, origin } from '../../bolt/metadata.js';
import { undoButton } from './form-view.js';
import type { SetUp } from './record-store.js';

/** The modal's metadata. `address`: the sealed path of the webhook URL, for another test scan. */
export const resultMetadata = z.object({
  ...origin,
  relay: z.string(),
  address: z.string().optional(),
  service: z.string(),
});

export interface Step {
  /** `warned`: the step may have succeeded, but a person has to check. */
  readonly state: 'done' | 'failed' | 'warned' | 'running';
  readonly line: readonly LinePart[];
}

export interface ResultOptions {
  readonly metadata: z.output<typeof resultMetadata>;
  readonly setUp?: SetUp | undefined;
  /** Whether another test scan can be sent. */
  readonly again: boolean;
}

const signs: Readonly<Record<Step['state'], string>> = { done: '✅', failed: '❌', warned: '⚠️', running: '⏳' };

export function step(state: Step['state'], ...line: readonly LinePart[]): Step {
  return { state, line };
}

/** The view of a setup while it runs, without buttons. */
export function runningView(title: string, steps: readonly Step[]): ModalView {
  return modalView(title, [stepList(steps)], { callback_id: 'relay.service.result' });
}

export function resultView(title: string, steps: readonly Step[], options: ResultOptions): ModalView {
  const buttons = [
    ...(options.again ? [button('Send another test scan', 'relay.service.test')] : []),
    ...(options.setUp ? [undoButton(options.setUp, options.metadata.relay)] : []),
  ];
  return modalView(title, [headline(steps), stepList(steps), ...(buttons.length > 0 ? [actions(buttons)] : [])], {
    callback_id: 'relay.service.result',
    close: 'Done',
    // The form below closes too: it would offer the same setup again. After a failure it stays, for another try.
    ...(options.setUp && !hasFailed(steps) ? { clear_on_close: true } : {}),
    private_metadata: encode(resultMetadata, options.metadata),
  });
}

/** The result as a message, for a modal that was closed or cannot be drawn. */
export function resultMessage(title: string, steps: readonly Step[]): Message {
  return message(escaped(`${title}: ${headlineOf(steps)}`), [
    richText([bold(title)]),
    headline(steps),
    stepList(steps),
  ]);
}

function headline(steps: readonly Step[]): Block {
  return richText([bold(headlineOf(steps))]);
}

export function hasFailed(steps: readonly Step[]): boolean {
  return steps.some(({ state }) => state === 'failed');
}

function headlineOf(steps: readonly Step[]): string {
  const warned = steps.some(({ state }) => state === 'warned');
  return hasFailed(steps)
    ? 'Not everything worked.'
    : warned
      ? 'Done. Check the items marked ⚠️.'
      : 'Done. Everything works.';
}

function stepList(steps: readonly Step[]): Block {
  return richText(...steps.map(({ state, line }) => [`${signs[state]} `, ...line]));
}
