/** Loads the rule form: the names behind its ids, and a preview of the last scans that the rule would have posted. */
import type { ViewOutput } from '@slack/bolt';
import {
  kindOf,
  type PreviewedScan,
  type Relay,
  type RelaySettings,
  type Rule,
  ruleSchema,
  silenceOf,
} from '../../../../relay/index.js';
import { type Block, type ModalView, type Option, option } from '../../../block-kit/elements.js';
import { richText, settled } from '../../../block-kit/text.js';
import { encode } from '../../../bolt/metadata.js';
import type { BaseContext } from '../../../bolt/routing/context.js';
import { ruleSentence } from '../../../channel-posts/describe/rule-sentence.js';
import { createWorkflowVariables } from '../../../channel-posts/workflow-variables.js';
import { userGroups } from '../../../connection/access/access.js';
import { accountOf } from '../../../connection/account.js';
import { cachedRuleNames } from '../../../connection/cached-names.js';
import { versionOf } from '../../../forms/settings-form.js';
import { type FormState, formStateIn } from '../../../forms/view-state.js';
import { resourceOption, resourcesOf } from '../../../operations/form/resources.js';
import { relayOf } from '../../load-views.js';
import { initialCondition, type RuleFormSource } from './fields.js';
import { keepPosting, leavesOut, type UnruledSettings } from './first-rule.js';
import { rulePreview } from './preview-blocks.js';
import { chosenSpan, type SpanChoice, spanOf } from './preview-span.js';
import { type RuleChange, readRule } from './read-rule.js';
import { ruleContent, shownRule } from './rule-content.js';
import { ruleMetadata, ruleView } from './rule-form.js';
import { linesFor, type RuleLines, shownConditions } from './rule-lines.js';
import { sentBlocks, type TestResult } from './workflow-fields.js';

type RuleFormContext = Pick<BaseContext, 'deps' | 'actor' | 'person' | 'client' | 'reference'>;

export interface RuleForm {
  readonly relay: string;
  /** The rule's id; undefined for a new rule. */
  readonly id?: string | undefined;
  readonly page?: number | undefined;
  readonly more?: boolean | undefined;
  /** The form's lines; by default those of the stored rule. */
  readonly lines?: RuleLines | undefined;
  /** The form from which entered values are taken. */
  readonly view?: ViewOutput;
  readonly problem?: string;
  readonly tested?: TestResult;
  readonly shared?: boolean;
  /** The version that the form was opened on; defaults to the current one. */
  readonly seen?: string | undefined;
}

const maxPreviewLines = 10;
/** The id of a rule that is not saved yet, and of its workflow's trigger. */
const newId = 'new';

export async function ruleFormModal(context: RuleFormContext, form: RuleForm): Promise<ModalView> {
  const { relay } = await relayOf(context, form.relay);
  const rule = relay.settings.rules.find((each) => each.id === form.id);
  const [names, groups] = await Promise.all([namesFor(context, rule), groupsOf(context)]);
  const enteredState = form.view && formStateIn(form.view);
  const lines = form.lines ?? linesFor(shownConditions(rule));
  const { zone } = context.person;
  const nameOf: RuleFormSource['nameOf'] = (kind, id) =>
    kind === 'group'
      ? groups?.find((group) => group.value === id)
      : names.find(([namedKind, option]) => namedKind === kind && option.value === id)?.[1];
  const content = ruleContent({ rule, channel: relay.channel, zone, nameOf }, lines, enteredState);
  const isUnfolded = form.more ?? (rule !== undefined && (rule.name !== '' || rule.quiet !== undefined));
  const spanChoice = chosenSpan(enteredState);
  const { rule: newRule, keepsPosting } = changedRule(context, relay, { rule, entered: enteredState, lines });
  const asksToKeepPosting = relay.settings.rules.length === 0 && (!newRule || leavesOut(newRule, relay));
  return ruleView(content, {
    metadata: encode(ruleMetadata, {
      channel: context.actor.channelId,
      relay: form.relay,
      ...(form.id === undefined ? {} : { id: form.id }),
      ...(isUnfolded ? { more: isUnfolded } : {}),
      ...(rule?.workflow ? { kept: true } : {}),
      ...(form.page === undefined ? {} : { page: form.page }),
      lines,
      seen: form.seen ?? versionOf(shownRule(form.id)(relay.settings)),
    }),
    changing: form.id !== undefined,
    more: isUnfolded,
    groupsOffered: groups !== undefined && groups.length > 0,
    problem: form.problem,
    tested: form.tested,
    shared: form.shared,
    sentence: newRule && ruleSentence(newRule, await cachedRuleNames(context, [newRule])),
    span: spanChoice,
    unruled: asksToKeepPosting ? relay.notable : undefined,
    preview: await previewOf(context, relay, newRule, { span: spanChoice, keepsPosting, stored: rule }),
  });
}

/** The rule in the form: stored, new, or entered; undefined while a part is missing. `keepsPosting`: see `RuleRead`. */
function changedRule(
  { deps: { workflows } }: RuleFormContext,
  relay: Relay,
  {
    rule,
    entered,
    lines,
  }: { readonly rule: Rule | undefined; readonly entered: FormState | undefined; readonly lines: RuleLines },
): { readonly rule?: Rule; readonly keepsPosting: boolean } {
  if (!entered) {
    const initialRule = rule ?? ruleSchema.parse({ id: newId, when: initialCondition, channel: relay.channel });
    return { rule: initialRule, keepsPosting: true };
  }
  const idOf = (url: string) => workflows.idOf(url) ?? newId;
  const read = readRule(entered, lines, { idOf, isSet: rule?.workflow !== undefined });
  return 'errors' in read
    ? { keepsPosting: true }
    : { rule: read.change(rule, rule?.id ?? newId), keepsPosting: read.keepsPosting };
}

/** The preview of the rule. A rule that is off is previewed as if it were on. */
async function previewOf(
  context: RuleFormContext,
  relay: Relay,
  rule: Rule | undefined,
  {
    span,
    keepsPosting,
    stored,
  }: { readonly span: SpanChoice; readonly keepsPosting: boolean; readonly stored: Rule | undefined },
): Promise<Block[]> {
  if (!rule) {
    return [richText('Fill in the form to preview what it would have posted.')];
  }
  const { deps, person } = context;
  const now = deps.clock.now();
  const first = keepsPosting ? { unruled: relay, id: `${newId}.others` } : undefined;
  const settings = withRule(relay.settings, () => ({ ...rule, on: true }), rule.id, first);
  const begins = rule.on && !(stored?.on && silenceOf(stored));
  const scans = await deps.relayStatus.preview(relay, settings, spanOf(span, now, person.zone));
  return [
    ...rulePreview(rule, scans, now, { most: maxPreviewLines, span, begins }),
    ...(await startedBlocks(context, relay, rule, scans)),
    ...(silenceOf(rule) || rule.action !== 'post' ? [] : shadowLine(settings, scans, rule.id)),
  ];
}

/** The variables that the workflow would have got with the last scan that starts it. */
async function startedBlocks(
  { deps }: RuleFormContext,
  relay: Relay,
  rule: Rule,
  scans: readonly PreviewedScan[],
): Promise<Block[]> {
  const last = scans.find(({ posts }) =>
    posts.some((post) => post.kind === 'workflow' && post.rules.some(({ id }) => id === rule.id)),
  );
  if (!last || !rule.workflow) {
    return [];
  }
  const { variables } = rule.workflow;
  const variableValues = await createWorkflowVariables(deps)({ owner: relay.owner, relay, scan: last.scan, variables });
  return sentBlocks(last.scan.tid, variableValues);
}

/** The line that says how many scans rules above this one post in its place, where only the first match posts. */
function shadowLine({ rules, match }: RelaySettings, scans: readonly PreviewedScan[], id: string): Block[] {
  const at = rules.findIndex((rule) => rule.id === id);
  const above = new Set(rules.slice(0, at).map((rule) => rule.id));
  const postedAboveCount = scans.filter(({ posts }) =>
    posts.some((post) => post.rules.some((rule) => above.has(rule.id))),
  ).length;
  return match === 'first' && postedAboveCount > 0
    ? [richText(`Rules above this one post ${postedAboveCount} of these scans, so this one doesn’t.`)]
    : [];
}

/** The settings with the rule. `first`: if it is the first, a second rule with this id posts what it leaves out. */
export function withRule(
  settings: RelaySettings,
  change: RuleChange,
  id: string,
  first?: { readonly unruled: UnruledSettings; readonly id: string },
): RelaySettings {
  const at = settings.rules.findIndex((rule) => rule.id === id);
  const rule = change(settings.rules[at], id);
  const changed = { ...settings, rules: at < 0 ? [...settings.rules, rule] : settings.rules.with(at, rule) };
  return first && settings.rules.length === 0 ? keepPosting(changed, first.unruled, first.id) : changed;
}

type NamedOption = readonly [kind: Parameters<RuleFormSource['nameOf']>[0], option: Option];

/** The names behind a rule's ids. They are optional: an id without a name is shown as it is. */
async function namesFor({ deps, actor }: RuleFormContext, rule: Rule | undefined): Promise<readonly NamedOption[]> {
  const conditions = [...(rule?.when ?? []), ...(rule?.unless ?? [])];
  const kinds = [...new Set(conditions.flatMap((one) => kindOf(one).refersTo?.(one) ?? []))].filter(isNamed);
  try {
    return (await Promise.all(kinds.map((kind) => namesOfKind(deps, actor, kind)))).flat();
  } catch {
    return [];
  }
}

const namedKinds = ['service', 'user', 'device', 'question'] as const;
type NamedKind = (typeof namedKinds)[number];

function isNamed(kind: string): kind is NamedKind {
  return (namedKinds as readonly string[]).includes(kind);
}

async function namesOfKind(
  deps: RuleFormContext['deps'],
  actor: RuleFormContext['actor'],
  kind: NamedKind,
): Promise<readonly NamedOption[]> {
  const account = await accountOf(deps, actor.owner);
  if (kind === 'device') {
    const devices = await account.names.devices();
    return devices.map(({ udid, name }): NamedOption => ['device', option(settled(name || udid), udid)]);
  }
  return (await resourcesOf(account, kind)).map((resource): NamedOption => [kind, resourceOption(resource)]);
}

/** The workspace's user groups; undefined if Slack does not list them: then none can be offered. */
async function groupsOf({ client, deps, reference }: RuleFormContext): Promise<readonly Option[] | undefined> {
  try {
    return (await userGroups(client)).map(({ id, name }) => option(settled(name), id));
  } catch (error) {
    deps.log.info({ err: error, reference }, 'user groups could not be listed for a rule');
    return undefined;
  }
}
