/** The form of one rule. Name and quiet hours are collapsed; a preview of what it would have posted is at the end. */
import { z } from 'zod';
import { actions, type Block, button, divider, type ModalView, modalView } from '../../../block-kit/elements.js';
import { warning } from '../../../forms/inputs.js';
import { checkbox } from '../../../forms/kinds.js';
import { relayOrigin } from '../etag.js';
import { inputActions } from '../inputs/kinds.js';
import { type RuleDraft, ruleForm } from './fields.js';

/** `id`: none for a new rule. `page`: of the list below. `more`: collapsed fields are shown. */
export const ruleMetadata = z.object({
  ...relayOrigin,
  id: z.string().optional(),
  more: z.boolean().optional(),
  page: z.number().optional(),
});

export interface RuleOptions {
  readonly metadata: string;
  readonly changing: boolean;
  readonly more: boolean;
  /** False where the workspace has no user groups. */
  readonly groupsOffered: boolean;
  /** An error, above the channel. */
  readonly problem?: string | undefined;
  /** Another organization can read the channel: the person must agree. */
  readonly shared?: boolean | undefined;
  /** The preview of its posts. */
  readonly preview: readonly Block[];
}

/** The block of the agreement to post in a shared channel: another channel needs another one. */
export function sharedBlock(channel: string): string {
  return `rule.shared.${channel}`;
}

const agreement = checkbox('Post anyway');

export function ruleView(draft: RuleDraft, options: RuleOptions): ModalView {
  const { draw } = ruleForm;
  const frame = { label: 'Shared channel', action: inputActions.field };
  const blocks = [
    ...draw(
      draft,
      'when',
      'values',
      'values.folded',
      'pattern',
      'batches',
      'batches.folded',
      'days',
      'days.zone',
      'nth',
      'nth.of',
      'nth.again',
    ),
    ...draw(draft, 'burst', 'burst.minutes', 'question', 'answer.how', 'property', 'property.how', 'to', 'to.folded'),
    ...draw(draft, 'silence.of', 'ids.service', 'ids.user', 'ids.device', 'silence.minutes', 'hours'),
    divider,
    ...warning(options.problem),
    ...draw(draft, 'channel'),
    ...(options.shared && draft.channel !== undefined
      ? [agreement.draw({ ...frame, name: sharedBlock(draft.channel) }, false)].flat()
      : []),
    ...draw(draft, 'how', 'digest', 'users'),
    ...(options.groupsOffered ? draw(draft, 'groups') : []),
    ...(options.more
      ? draw(draft, 'name', 'quiet', 'quiet.hours')
      : [actions([button('Name and quiet hours…', 'relay.more')])]),
    divider,
    ...options.preview,
    actions([button('Preview on recent scans', 'relay.again')]),
  ];
  return modalView(options.changing ? 'Edit rule' : 'New rule', blocks, {
    callback_id: 'relay.rule',
    submit: 'Save',
    private_metadata: options.metadata,
  });
}
