/** The part of the rule form about a workflow: the trigger's URL, which is never shown again, and the variables. */
import {
  unknownPlaceholders,
  type WorkflowVariable,
  workflowPlaceholders,
  workflowVariablesSchema,
} from '../../../../relay/index.js';
import { actions, type Block, button, context, cut } from '../../../block-kit/elements.js';
import { shortBarcode, shortText } from '../../../block-kit/short-text.js';
import { richText, settled } from '../../../block-kit/text.js';
import type { Kind } from '../../../forms/form.js';
import * as kinds from '../../../forms/kinds.js';

/** An example of a trigger's URL. */
export const triggerPlaceholder = 'https://hooks.slack.com/triggers/…';

export const noTriggerText =
  'This is no webhook URL of a workflow: those begin with https://hooks.slack.com/triggers/. In Workflow Builder, open the workflow’s first step, Starts from a webhook, and copy its URL.';

const linesOf = (variables: readonly WorkflowVariable[]) =>
  variables.map(({ name, text }) => `${name} = ${text}`).join('\n');

export const usualVariables = linesOf(workflowPlaceholders.map((name) => ({ name, text: `{${name}}` })));

export const variablesHint = `One per line, with the names that the workflow declares, all of the data type Text. Values: ${workflowPlaceholders.map((name) => `{${name}}`).join(' ')}.`;

/** The input for variables: `name = text with {placeholders}`, one on each line. */
export const variables: Kind<string, readonly WorkflowVariable[]> = {
  ...kinds.text({ multiline: true }),
  content: linesOf,
  read(state, fieldName, errors) {
    const lines = state.text(fieldName).split(/\r?\n/);
    const readLines = lines.filter((line) => line.trim() !== '').map((line) => /^\s*(\w+)\s*=(.*)$/.exec(line) ?? line);
    const wrongLine = readLines.find((line) => typeof line === 'string');
    const pairs = readLines.flatMap((line) =>
      typeof line === 'string' ? [] : [{ name: line[1]!, text: line[2]!.trim() }],
    );
    const [unknown] = pairs.flatMap(({ text }) => unknownPlaceholders(text));
    const names = pairs.map((one) => one.name);
    const repeatedName = names.find((one, at) => names.indexOf(one) !== at);
    if (wrongLine !== undefined) {
      errors[fieldName] = `“${cut(settled(wrongLine), 60)}” is no variable. Write a line such as barcode = {barcode}.`;
    } else if (unknown !== undefined) {
      errors[fieldName] = `There is no {${cut(settled(unknown), 40)}}.`;
    } else if (repeatedName !== undefined) {
      errors[fieldName] = `“${cut(settled(repeatedName), 50)}” is there twice.`;
    } else if (!workflowVariablesSchema.safeParse(pairs).success) {
      errors[fieldName] =
        'Enter 1 to 20 variables. A name has up to 50 letters, digits and underscores and begins with no digit; a text has up to 500 characters.';
    }
    return pairs;
  },
};

export const workflowBlocks: readonly Block[] = [
  context(
    'One start at a time, in order, at most one a second. If Slack’s answer is lost, the workflow is started again for the same scan, with the same {scan_key}. Failed starts are retried for a day; then Retry in the relay starts them. Answers that come later are not sent.',
  ),
  actions([button('Send a test', 'relay.rule.test')], 'rule.test'),
];

/** The variables that a scan would have sent, as blocks. */
export function sentBlocks(barcode: string, variableValues: Readonly<Record<string, string>>): Block[] {
  return [
    richText(
      ['With the last of them, ', ...shortBarcode(barcode, 60), ', the workflow would get:'],
      ...Object.entries(variableValues).map(([name, value]) => [`${name} = `, shortText(value, 200)]),
    ),
  ];
}
