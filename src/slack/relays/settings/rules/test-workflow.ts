/** *Send a test* in the rule form: starts the workflow once, with sample values, and shows Slack's answer. */
import type { ViewOutput } from '@slack/bolt';
import { filledVariables } from '../../../../relay/index.js';
import type { ViewNotice } from '../../../block-kit/notice.js';
import { record } from '../../../bolt/audit.js';
import type { ActionContext } from '../../../bolt/routing/context.js';
import { describeReason } from '../../../channel-posts/describe/describe-state.js';
import { sampleValues } from '../../../channel-posts/workflow-variables.js';
import { type Errors, formStateIn } from '../../../forms/view-state.js';
import { relayOf } from '../../load-views.js';
import { ruleForm } from './fields.js';
import { noTriggerText } from './workflow-fields.js';

/** Tests the workflow. `rule`: the rule's id, once it is stored. */
export async function testWorkflow(
  context: ActionContext,
  { relay, rule }: { readonly relay: string; readonly rule: string | undefined },
  view: ViewOutput,
): Promise<ViewNotice> {
  const { deps, actor } = context;
  const { workflows, random } = deps;
  const errors: Errors = {};
  const { 'workflow.url': url = '', 'workflow.variables': variables = [] } = ruleForm.read(formStateIn(view), errors);
  const linesError = errors[ruleForm.nameOf('workflow.variables')];
  if (linesError !== undefined) {
    return { problem: linesError };
  }
  const trigger = (await relayOf(context, relay)).relay.settings.rules.find(({ id }) => id === rule)?.workflow?.trigger;
  const filledLines = filledVariables(variables, sampleValues(`test-${random.bytes(6).toString('hex')}`));
  const isStored = url.trim() === '' && trigger !== undefined;
  if (!isStored && workflows.idOf(url) === undefined) {
    return { problem: noTriggerText };
  }
  const { signal } = new AbortController();
  const started = await (isStored
    ? workflows.start(actor.owner, trigger, filledLines, signal)
    : workflows.startByUrl(url, filledLines, signal));
  const code = started.outcome === 'delivered' ? undefined : started.code;
  await record(context, { what: 'relay/test_workflow', detail: { relay }, outcome: code });
  return code === undefined
    ? { done: 'Slack took the test, with sample values. Check what the workflow did with them.' }
    : { problem: `The test did not start the workflow: ${describeReason(code)}.` };
}
