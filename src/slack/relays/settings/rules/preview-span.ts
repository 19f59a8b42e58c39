/** The span of scans that a preview reads, as chosen in a form. Pure. */
import { DateTime } from 'luxon';
import type { PreviewSpan } from '../../../../relay/index.js';
import type { Actions } from '../../../block-kit/elements.js';
import { initialOption, optionsOf } from '../../../forms/inputs.js';
import type { FormState } from '../../../forms/view-state.js';

/** The spans, with the words for their scans, and for having none. */
export const spans = {
  last: { label: 'Last 100 scans', scansOf: undefined, none: 'This relay has no recent scans' },
  hour: { label: 'Last hour', scansOf: 'of the last hour', none: 'No scans received in the last hour' },
  today: { label: 'Today', scansOf: 'of today', none: 'No scans received today' },
  thousand: { label: 'Last 1,000 scans', scansOf: undefined, none: 'This relay has no recent scans' },
} as const;

export type SpanChoice = keyof typeof spans;

/** What a preview has read. */
export interface ScansRead {
  readonly span?: SpanChoice;
  /** Whose the scans are that the relay did not receive. */
  readonly of?: 'account' | 'service';
  /** Whether there is no such relay yet. */
  readonly isNew?: boolean;
  /** Why the account's scans are not among them, though they were wanted. */
  readonly missing?: 'slow' | 'failed' | undefined;
}

const owners = { account: 'the account’s', service: 'this service’s' } as const;
const noneYet = { account: 'The account has no scans yet', service: 'This service has no scans yet' } as const;

/** Why there is no preview, where there are no scans. */
export function describeNone({ span = 'last', of = 'account', isNew, missing }: ScansRead): string {
  switch (missing) {
    case 'slow':
      return 'Loading recent scans takes longer than usual. Choose again in a moment to see the preview.';
    case 'failed':
      return `Recent scans could not be loaded for a preview.${isNew ? ' You can still create the relay.' : ''}`;
    case undefined:
      return `${isNew ? noneYet[of] : spans[span].none}, so there is no preview.`;
  }
}

/** Whose scans were read: `this relay’s 3 recent scans and this service’s 97 before them`. */
export function describeScans({ span = 'last', of = 'account' }: ScansRead, all: number, recorded: number): string {
  const own = all - recorded;
  const before = `${owners[of]} ${recorded.toLocaleString('en-US')} before ${own === 1 ? 'it' : 'them'}`;
  return own === 0 && recorded > 0
    ? `${owners[of]} ${describeSpan(span, all)}`
    : `this relay’s ${describeSpan(span, own)}${recorded === 0 ? '' : ` and ${before}`}`;
}

const choices = Object.entries(spans).map(([value, { label }]) => [value as SpanChoice, label] as const);

/** The most scans that a preview reads. */
const mostScans = 1_000;
const spanBlock = 'preview.span';

export function chosenSpan(state: FormState | undefined): SpanChoice {
  const chosenValue = state?.choice(spanBlock);
  return choices.find(([value]) => value === chosenValue)?.[0] ?? 'last';
}

/** The start of a span, and its most scans. `now` in milliseconds. A day begins at midnight in the zone. */
export function spanOf(choice: SpanChoice, now: number, zone: string | undefined): PreviewSpan {
  switch (choice) {
    case 'last':
      return { most: 100 };
    case 'hour':
      return { most: mostScans, since: now - 60 * 60_000 };
    case 'today':
      return {
        most: mostScans,
        since: DateTime.fromMillis(now, { zone: zone ?? 'utc' })
          .startOf('day')
          .toMillis(),
      };
    case 'thousand':
      return { most: mostScans };
  }
}

/** A span in words: `last 100 scans`, `3 recent scans`, `12 scans of today`, `last 1,000 scans of today`. */
function describeSpan(choice: SpanChoice, count: number): string {
  const { scansOf } = spans[choice];
  const reached = count === (choice === 'last' ? 100 : mostScans);
  const [number, scans] = [count.toLocaleString('en-US'), count === 1 ? 'scan' : 'scans'];
  const counted = reached ? `last ${number} ${scans}` : scansOf ? `${number} ${scans}` : `${number} recent ${scans}`;
  return scansOf ? `${counted} ${scansOf}` : counted;
}

/** The buttons under a preview, which choose its scans and make it anew. */
export function previewActions(choice: SpanChoice): Actions {
  const options = optionsOf(choices);
  return {
    type: 'actions',
    block_id: spanBlock,
    elements: [
      { type: 'static_select', action_id: 'relay.preview.span', options, ...initialOption(options, choice) },
      { type: 'button', action_id: 'relay.again', text: { type: 'plain_text', text: 'Preview', emoji: false } },
    ],
  };
}
