/** What the entered rule would have done with the last scans, below its form. */
import type { PreviewedScan, Relay, RelaySettings, Rule } from '../../../../relay/index.js';
import { silenceOf } from '../../../../relay/index.js';
import type { Block } from '../../../block-kit/elements.js';
import { bold, richText } from '../../../block-kit/text.js';
import { createWorkflowVariables } from '../../../channel-posts/workflow-variables.js';
import type { FormScope } from '../../../forms/settings-form.js';
import { previewedPosts } from '../../preview.js';
import { changesNothing, keepPosting, type UnruledSettings } from './first-rule.js';
import { rulePreview } from './preview-blocks.js';
import type { SpanChoice } from './preview-span.js';
import { sentBlocks } from './workflow-fields.js';

const maxPreviewLines = 10;
/** The id of a rule that is not saved yet, and of its workflow's trigger. */
export const newId = 'new';

/** A rule that is off is previewed as if it were on. */
export async function enteredPreview(
  context: FormScope,
  relay: Relay,
  rule: Rule,
  {
    span,
    keepsPosting,
    stored,
  }: { readonly span: SpanChoice; readonly keepsPosting: boolean; readonly stored: Rule | undefined },
): Promise<Block[]> {
  const now = context.deps.clock.now();
  const first = keepsPosting ? { unruled: relay, id: `${newId}.others` } : undefined;
  const settings = withRule(relay.settings, { ...rule, on: true }, first);
  const begins = rule.on && !(stored?.on && silenceOf(stored));
  const { scans, read } = await previewedPosts(context, relay, settings, span);
  const isFirst = relay.settings.rules.length === 0;
  return [
    ...(isFirst && changesNothing(rule, relay, keepsPosting) ? [richText(nothingNew)] : []),
    ...rulePreview(rule, scans, now, { most: maxPreviewLines, begins, ...read }),
    ...(await startedBlocks(context, relay, rule, scans)),
    ...(silenceOf(rule) || rule.action !== 'post' ? [] : shadowLine(settings, scans, rule.id)),
  ];
}

const nothingNew = [
  bold('Saved so, this rule changes nothing in what is posted: the relay posts these scans already. '),
  'Mention people, choose another channel or trigger, or post only what rules choose.',
];

/** The variables that the workflow would have got with the last scan that starts it. */
async function startedBlocks(
  { deps }: FormScope,
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
  rule: Rule,
  first?: { readonly unruled: UnruledSettings; readonly id: string },
): RelaySettings {
  const at = settings.rules.findIndex(({ id }) => id === rule.id);
  const changed = { ...settings, rules: at < 0 ? [...settings.rules, rule] : settings.rules.with(at, rule) };
  return first && settings.rules.length === 0 ? keepPosting(changed, first.unruled, first.id) : changed;
}
