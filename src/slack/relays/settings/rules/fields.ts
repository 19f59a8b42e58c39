/** The fields of the rule form besides its conditions: its action, its channel, and how it posts. */
import { type Rule, ruleSchema } from '../../../../relay/index.js';
import { type Option, option } from '../../../block-kit/elements.js';
import type { ConditionSource, ScanSource } from '../../../conditions/condition.js';
import { boundsOf } from '../../../forms/bounds.js';
import { type AnyDraft, createForm, type DraftOf, fieldsOf, when } from '../../../forms/form.js';
import * as kinds from '../../../forms/kinds.js';
import { defaultHours, hours } from '../../../inputs/hours.js';
import { inputActions } from '../../../inputs/kinds.js';
import type { RuleKind } from './condition-form.js';
import { triggerPlaceholder, usualVariables, variables, variablesHint } from './workflow-fields.js';

/** The content with which the rule form is opened. */
export interface RuleFormSource extends Pick<ConditionSource, 'zone'> {
  /** The stored rule; none for a new one. */
  readonly rule: Rule | undefined;
  /** The relay's channel, the default for a new rule. */
  readonly channel: string;
  /** Whether the workspace has user groups. */
  readonly groupsOffered?: boolean;
  /** The name of an id as an option, if known. */
  readonly nameOf: (kind: ScanSource | 'question' | 'group', id: string) => Option | undefined;
}

const field = fieldsOf<RuleFormSource>();
const { digestMinutes, escalate, mention, name } = ruleSchema.shape;
const mentionShape = mention.unwrap().shape;
const escalationShape = escalate.unwrap().shape;
const isPosting = (draft: AnyDraft) => (draft.action ?? 'post') === 'post';
const startsWorkflow = when('action', 'workflow');
const quietHints: Readonly<Record<RuleKind, string>> = {
  scan: 'One digest is sent when they end.',
  burst: 'An alert that opens meanwhile is posted when they end.',
  silence: 'No scans are expected meanwhile.',
};
/** The choices for a relay's first rule: what to do with the posts that the relay makes without rules. */
const firstRuleField = (keep: string) =>
  field(
    kinds.radio<'keep' | 'only'>([
      ['keep', keep, 'In the relay’s channel, as before'],
      ['only', 'Post only what rules choose', 'Scans that match no rule are still received and answered'],
    ]),
    { label: 'Other scans', rerenders: true, collapsible: true, initial: 'keep' },
  );

export const ruleForm = createForm('rule', inputActions, {
  action: field(
    kinds.radio<Rule['action']>([
      ['post', 'Post the scan'],
      ['workflow', 'Start a workflow', 'One of Workflow Builder that starts from a webhook'],
      ['stop', 'Stop here', 'Post nothing, and skip the rules below'],
    ]),
    { label: 'Then', rerenders: true, collapsible: true, path: 'rule.action', initial: 'post' },
  ),
  'workflow.url': field(kinds.secret({ max: 300, placeholder: triggerPlaceholder }), {
    label: 'The workflow’s webhook URL',
    hint: ({ isSet }) =>
      isSet ? 'A URL is set. Leave blank to keep it.' : 'It is encrypted before it is stored, and never shown again.',
    optional: ({ isSet }) => isSet === true,
    shown: startsWorkflow,
  }),
  'workflow.variables': field(variables, {
    label: 'Variables',
    hint: variablesHint,
    shown: startsWorkflow,
    path: 'rule.workflow.variables',
    initial: usualVariables,
  }),
  channel: field(kinds.channel({ missing: 'Choose a channel.' }), {
    label: 'Channel',
    hint: 'Scandesk joins public channels by itself. Invite it to a private channel first.',
    rerenders: true,
    shown: isPosting,
    keepsHidden: true,
    path: 'rule.channel',
    from: ({ rule, channel }) => rule?.channel || channel,
  }),
  how: field(
    kinds.radio<Rule['how']>([
      ['each', 'One message per scan'],
      ['thread', 'Thread', 'Replies to one message per day with running totals'],
      ['digest', 'Digest', 'Several scans in one message'],
    ]),
    { label: 'Post as', rerenders: true, shown: isPosting, keepsHidden: true, path: 'rule.how', initial: 'each' },
  ),
  digest: field(kinds.integer(boundsOf(digestMinutes)), {
    label: 'Send digest every (minutes)',
    shown: (draft) => isPosting(draft) && draft.how === 'digest',
    keepsHidden: true,
    path: 'rule.digestMinutes',
    initial: '15',
  }),
  users: field(kinds.users(boundsOf(mentionShape.users)), {
    label: 'Mention people',
    optional: true,
    shown: isPosting,
    keepsHidden: true,
    path: 'rule.mention.users',
  }),
  groups: field(kinds.multiPicker({ action: 'relay.pick.group', placeholder: 'None' }, boundsOf(mentionShape.groups)), {
    label: 'Mention user groups',
    optional: true,
    shown: isPosting,
    collapsible: true,
    path: 'rule.mention.groups',
    from: ({ rule, nameOf }) => groupOptions(rule?.mention.groups, nameOf),
  }),
  escalate: field(kinds.checkbox('If nobody acknowledges it, mention someone else'), {
    label: 'Escalation',
    rerenders: true,
    collapsible: true,
    from: ({ rule }) => rule?.escalate !== undefined,
  }),
  'escalate.minutes': field(kinds.integer(boundsOf(escalationShape.minutes)), {
    label: 'Escalate after (minutes)',
    shown: (draft) => draft.escalate === true,
    collapsible: true,
    path: 'rule.escalate.minutes',
    initial: '15',
  }),
  'escalate.users': field(kinds.users({ ...boundsOf(escalationShape.users) }), {
    label: 'Escalate to people',
    hint: ({ groupsOffered }) => (groupsOffered ? 'Choose people here, user groups below, or both.' : undefined),
    optional: ({ groupsOffered }) => groupsOffered === true,
    shown: (draft) => draft.escalate === true,
    collapsible: true,
    path: 'rule.escalate.users',
  }),
  'escalate.groups': field(
    kinds.multiPicker({ action: 'relay.pick.group', placeholder: 'None' }, boundsOf(escalationShape.groups)),
    {
      label: 'Escalate to user groups',
      optional: true,
      shown: (draft) => draft.escalate === true,
      collapsible: true,
      path: 'rule.escalate.groups',
      from: ({ rule, nameOf }) => groupOptions(rule?.escalate?.groups, nameOf),
    },
  ),
  broadcast: field(kinds.checkbox('Also tell the channel when it gets worse or is over'), {
    label: 'Updates',
    collapsible: true,
    path: 'rule.broadcast',
  }),
  name: field(kinds.text(boundsOf(name)), {
    label: 'Name',
    hint: 'Shown in posts and lists. Leave blank to show the trigger.',
    optional: true,
    collapsible: true,
    path: 'rule.name',
  }),
  quiet: field(kinds.checkbox('Post nothing during quiet hours'), {
    label: 'Quiet hours',
    hint: ({ about }) => quietHints[about as RuleKind],
    rerenders: true,
    collapsible: true,
    shown: isPosting,
    from: ({ rule }) => rule?.quiet !== undefined,
  }),
  'quiet.hours': field(hours, {
    label: 'Quiet hours',
    shown: (draft) => isPosting(draft) && draft.quiet === true,
    keepsHidden: true,
    path: 'rule.quiet',
    from: ({ rule, zone }) => rule?.quiet ?? { ...defaultHours(zone), from: '22:00', to: '06:00' },
  }),
  'others.all': firstRuleField('Also keep posting every scan'),
  'others.invalid': firstRuleField('Also keep posting all scans that are not valid'),
});

function groupOptions(ids: readonly string[] = [], nameOf: RuleFormSource['nameOf']): Option[] {
  return ids.map((id) => nameOf('group', id) ?? option(`Group ${id}`, id));
}

/** The form's content. `isSet`: a workflow’s URL is stored. `groupsOffered`: the workspace has user groups. */
export type RuleDraft = DraftOf<typeof ruleForm.fields> & { readonly isSet: boolean; readonly groupsOffered: boolean };
