/** The form of one rule. Name and quiet hours are collapsed; a preview of what it would have posted is at the end. */
import { z } from 'zod';
import { mostConditions } from '../../../../relay/index.js';
import type { Notable } from '../../../../relay/relays/types.js';
import {
  actions,
  type Block,
  button,
  context,
  divider,
  type ModalView,
  modalView,
} from '../../../block-kit/elements.js';
import { noticeBlocks } from '../../../block-kit/notice.js';
import { type LinePart, richText } from '../../../block-kit/text.js';
import { inputActions } from '../../../conditions/inputs/kinds.js';
import { checkbox } from '../../../forms/kinds.js';
import { relayOrigin } from '../settings-form.js';
import { drawCondition } from './condition-form.js';
import { ruleForm } from './fields.js';
import { previewActions, type SpanChoice } from './preview-span.js';
import type { RuleContent } from './rule-content.js';
import { formsOf, type LineKind, linesShape, type RuleLines } from './rule-lines.js';
import { type TestResult, workflowBlocks } from './workflow-fields.js';

/** The metadata of modals on top of the list of rules. `page`: the page of the list. */
const listOrigin = { ...relayOrigin, page: z.number().optional() };

export const ruleRemoveMetadata = z.object({ ...listOrigin, id: z.string() });

/** `id`: none for a new rule. `more`: collapsed fields are shown. `kept`: a workflow’s URL is stored. */
export const ruleMetadata = z.object({
  ...listOrigin,
  id: z.string().optional(),
  more: z.boolean().optional(),
  kept: z.boolean().optional(),
  lines: linesShape,
});

export interface RuleOptions {
  readonly metadata: string;
  readonly changing: boolean;
  readonly more: boolean;
  /** False where the workspace has no user groups. */
  readonly groupsOffered: boolean;
  /** An error, shown above the rule's action and channel. */
  readonly problem?: string | undefined;
  /** The outcome of a test of the workflow. */
  readonly tested?: TestResult | undefined;
  /** Whether another organization can read the channel: the person must agree. */
  readonly shared?: boolean | undefined;
  /** The rule in words, if it is complete. */
  readonly sentence?: readonly LinePart[] | undefined;
  /**
   * Set for a relay's first rule: the posts that the relay makes without rules, if the rule leaves some of them out.
   */
  readonly unruled?: Notable | undefined;
  readonly span?: SpanChoice;
  /** The preview of the rule's posts. */
  readonly preview: readonly Block[];
}

/** The block of the agreement to post in a shared channel: another channel needs another agreement. */
export function sharedBlock(channel: string): string {
  return `rule.shared.${channel}`;
}

const agreement = checkbox('Post anyway');

export function ruleView({ rule, lines, conditions }: RuleContent, options: RuleOptions): ModalView {
  const { draw } = ruleForm;
  const frame = { label: 'Shared channel', action: inputActions.field };
  const isSilence = conditions.get(0)?.when === 'silence';
  const isAlert = isSilence || [...conditions.values()].some(({ when }) => when === 'burst');
  const { channel } = rule;
  const blocks = [
    ...(options.sentence ? [richText(options.sentence), divider] : []),
    ...formsOf(lines, isSilence).flatMap(({ line, kind, form }) => [
      ...drawCondition(form, conditions.get(line) ?? form.draft()),
      ...(line === 0 ? [] : [removeButton(line, kind)]),
    ]),
    ...(isSilence ? [] : addButtons(lines)),
    divider,
    ...noticeBlocks({ problem: options.problem }),
    ...(isSilence ? [] : draw(rule, 'action')),
    ...draw(rule, 'workflow.url', 'workflow.variables'),
    ...(ruleForm.isShown(rule, 'workflow.url') ? [...workflowBlocks, ...noticeBlocks(options.tested ?? {})] : []),
    ...draw(rule, 'channel'),
    ...(options.shared && channel !== undefined && ruleForm.isShown(rule, 'channel')
      ? [agreement.draw({ ...frame, name: sharedBlock(channel) }, false)].flat()
      : []),
    ...(isAlert ? [] : draw(rule, 'how', 'digest')),
    ...draw(rule, 'users'),
    ...(options.groupsOffered ? draw(rule, 'groups') : []),
    ...(ruleForm.isShown(rule, 'workflow.url')
      ? []
      : isAlert
        ? escalation(rule, options.groupsOffered)
        : [context(escalationHint)]),
    ...(options.more
      ? draw(rule, 'name', 'quiet', 'quiet.hours')
      : [
          actions(
            [button(ruleForm.isShown(rule, 'quiet') ? 'Name and quiet hours…' : 'Name…', 'relay.more')],
            'relay.more',
          ),
        ]),
    ...(options.unruled ? [divider, ...draw(rule, `others.${options.unruled}`)] : []),
    divider,
    ...options.preview,
    previewActions(options.span ?? 'last'),
  ];
  return modalView(options.changing ? 'Edit rule' : 'New rule', blocks, {
    callback_id: 'relay.rule',
    submit: 'Save',
    private_metadata: options.metadata,
  });
}

/** The hint about escalation, shown while the trigger is no alert and no workflow is started. */
const escalationHint =
  'Alerts (many not valid, no scans) can also call other people when nobody acknowledges them in time.';

function escalation(rule: RuleContent['rule'], groupsOffered: boolean): Block[] {
  const people = ruleForm.draw(rule, 'escalate', 'escalate.minutes', 'escalate.users');
  return [
    ...people,
    ...(groupsOffered ? ruleForm.draw(rule, 'escalate.groups') : []),
    ...ruleForm.draw(rule, 'broadcast'),
  ];
}

function removeButton(line: number, kind: LineKind): Block {
  const text = kind === 'when' ? 'Remove this condition' : 'Remove this exception';
  return actions([button(text, 'relay.rule.line.remove', { value: String(line) })], `relay.rule.line.${line}`);
}

/** The buttons that add a line. Their block keeps its id, so that a press just before a redraw finds its button. */
function addButtons({ when, unless }: RuleLines): Block[] {
  const add = [
    ...(when.length < mostConditions ? [button('Add a condition', 'relay.rule.line.add', { value: 'when' })] : []),
    ...(unless.length < mostConditions
      ? [button('Add an exception', 'relay.rule.line.except', { value: 'unless' })]
      : []),
  ];
  return add.length === 0 ? [] : [actions(add, 'relay.rule.lines')];
}
