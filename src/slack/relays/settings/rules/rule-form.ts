/** The fields of the form of a rule, and what it keeps of itself. What is rarely needed is behind a button. Pure. */
import { z } from 'zod';
import { listOf } from '../../../../english.js';
import { mostConditions } from '../../../../relay/index.js';
import type { Notable } from '../../../../relay/relays/types.js';
import { actions, type Block, button, divider } from '../../../block-kit/elements.js';
import { moreAction } from '../../../forms/settings-form.js';
import { relayOrigin } from '../settings-form.js';
import { drawCondition, type RuleKind } from './condition-form.js';
import { ruleForm } from './fields.js';
import type { RuleContent } from './rule-content.js';
import { formsOf, type LineKind, linesShape, type RuleLines } from './rule-lines.js';
import { workflowBlocks } from './workflow-fields.js';

/** `page`: the page of the list of rules below. */
const listOrigin = { ...relayOrigin, page: z.number().optional() };

export const ruleRemoveMetadata = z.object({ ...listOrigin, id: z.string() });

/** `id`: none for a new rule. `lines`: those of the stored rule, until one is added. `kept`: a workflow’s URL is stored. */
export const ruleMetadata = z.object({
  ...listOrigin,
  id: z.string().optional(),
  kept: z.boolean().optional(),
  lines: linesShape.optional(),
});

export interface RuleFormOptions {
  readonly lines: RuleLines;
  readonly more: boolean;
  /** A workflow’s URL is stored. */
  readonly isSet: boolean;
  /** False where the workspace has no user groups. */
  readonly groupsOffered: boolean;
  /** The stored rule mentions user groups. */
  readonly groups?: boolean;
  /** The agreement to post in the channel, where another organization can read it. */
  readonly agreement: readonly Block[];
  /**
   * Set for a relay's first rule: the posts that the relay makes without rules, if the rule leaves some of them out.
   */
  readonly unruled?: Notable | undefined;
}

/** The fields of a rule. An alert has those of an alert alone: it is posted at once, and calls people. */
export function ruleFields({ rule: entered, conditions }: RuleContent, options: RuleFormOptions): Block[] {
  const { lines, groupsOffered } = options;
  const about = (conditions.get(0)?.about as RuleKind | undefined) ?? 'scan';
  const isAlert = about !== 'scan';
  const rule = {
    ...entered,
    ...(isAlert ? { action: 'post' as const } : {}),
    isSet: options.isSet,
    groupsOffered,
    about,
  };
  const draw = (...names: readonly (keyof typeof ruleForm.fields)[]) =>
    ruleForm.draw(rule, ...names.filter((name) => groupsOffered || !name.endsWith('groups')));
  const startsWorkflow = ruleForm.isShown(rule, 'workflow.url');
  const posts = ruleForm.isShown(rule, 'quiet');
  const rarely = [
    'Name',
    ...(posts && groupsOffered && !options.groups ? ['user groups'] : []),
    ...(isAlert ? ['updates'] : []),
    ...(posts ? ['quiet hours'] : []),
  ];
  return [
    ...formsOf(lines, about).flatMap(({ line, kind, form }) => [
      ...drawCondition(form, conditions.get(line) ?? form.draft()),
      ...(line === 0 ? [] : [removeButton(line, kind)]),
    ]),
    ...(about === 'silence' ? [] : addButtons(lines)),
    divider,
    ...(isAlert ? [] : draw('action')),
    ...draw('workflow.url', 'workflow.variables'),
    ...(startsWorkflow ? workflowBlocks : []),
    ...draw('channel'),
    ...options.agreement,
    ...(isAlert ? [] : draw('how', 'digest')),
    ...draw('users', ...(options.more || options.groups ? (['groups'] as const) : [])),
    ...(isAlert ? draw('escalate', 'escalate.minutes', 'escalate.users', 'escalate.groups') : []),
    ...(options.more
      ? [...(isAlert ? draw('broadcast') : []), ...draw('name', 'quiet', 'quiet.hours')]
      : [actions([button(`${listOf(rarely)}…`, moreAction)], moreAction)]),
    ...(options.unruled ? [divider, ...draw(`others.${options.unruled}`)] : []),
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
