/**
 * The command `/scandesk call SECTION ACTION [name=value ...]`: any operation of the account.
 * A form asks for what is missing; a delete is confirmed first.
 */

import { currentReaderOf } from '../../codereadr/current-values.js';
import { expand, parseInput } from '../../codereadr/operations/check.js';
import { operations } from '../../codereadr/operations/index.js';
import type { Operation } from '../../codereadr/operations/operation.js';
import { isAbsent } from '../../codereadr/operations/param-schema.js';
import { cut, type Message, message } from '../block-kit/elements.js';
import { escaped, richText, textElement } from '../block-kit/text.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { CommandContext } from '../bolt/routing/context.js';
import { cachedNamesIn } from '../connection/cached-names.js';
import { accountOf } from '../connection/connection.js';
import { callProblemMessage, notThereMessage, sectionMessage, sectionsMessage } from './call-help.js';
import { actionsOf, type CallText, readCallText } from './call-text.js';
import { confirmWindow } from './delete/confirm.js';
import { openOperationForm } from './form/open.js';
import { needsConfirmation, ownProblems, startingValues } from './form/rules.js';
import { performChecked, whoMay } from './perform.js';
import { answerOf } from './result/answer.js';

export const call: Subcommand = {
  name: 'call',
  usage: 'call [SECTION] [ACTION] [name=value …]',
  description: 'Run any API operation. Leave blank to see the list.',
  role: 'everyone',
  modalTitle: formIn,
  async run(context) {
    const read = readCallText(context.text);
    if (read.kind === 'call') {
      await callOperation(context, read);
    } else {
      await context.respond(answerTo(read));
    }
  },
};

/** The title of the form it opens, as far as the text alone shows. */
function formIn(text: string): string | undefined {
  const read = readCallText(text);
  if (read.kind !== 'call') {
    return undefined;
  }
  const { operation, given, asForm } = read;
  const typed = expand(given);
  const values = { ...startingValues(operation, { zone: undefined, given: typed }), ...typed };
  if (ownProblems(operation, values).length > 0) {
    return undefined;
  }
  const parsed = parseInput(operation, values);
  const asks =
    !parsed.ok ||
    asForm ||
    leavesOpen(operation, typed) ||
    needsConfirmation(operation, parsed.input as Readonly<Record<string, unknown>>);
  return asks ? operation.title : undefined;
}

function answerTo(read: Exclude<CallText, { kind: 'call' }>): Message {
  switch (read.kind) {
    case 'sections':
      return sectionsMessage(operations);
    case 'section':
      return sectionMessage(read.section, actionsOf(read.section));
    case 'no_section':
      return notThereMessage('There is no section', read, '/scandesk call');
    case 'no_action':
      return notThereMessage(`${read.section} has no action`, read, `/scandesk call ${read.section}`);
    case 'unknown_param': {
      const { section, action } = read.operation;
      return notThereMessage(`${section} ${action} has no parameter`, read, `/scandesk call ${section}`);
    }
    case 'no_pair':
      return callProblemMessage(
        `“${cut(read.typed, 100)}” isn’t in the form name=value.`,
        'Put values with spaces in double quotes, and double any quotes inside them. Nothing was run.',
      );
    case 'open_quote':
      return callProblemMessage(
        `The value of ${read.name} has no closing quote.`,
        'End the value with a double quote. Nothing was run.',
      );
    case 'twice':
      return callProblemMessage(`${read.name} appears twice.`, 'Enter it once. Nothing was run.');
    case 'refused':
      return read.why === 'secret'
        ? callProblemMessage(
            `${read.name} is a secret, so you can’t enter it in a command.`,
            'Leave it out, and a form will ask for it. Nothing was run.',
          )
        : callProblemMessage(
            `You can’t set ${read.name} in a command.`,
            'The section and action are the first two words, and the API key is that of the connected account. Nothing was run.',
          );
  }
}

async function callOperation(
  context: CommandContext,
  { operation, given, asForm }: Extract<CallText, { kind: 'call' }>,
): Promise<void> {
  const { deps, actor, client, person, respond, modal, word } = context;
  await deps.permissions.require(client, actor, whoMay(operation));
  const typed = expand(given);
  const values = { ...startingValues(operation, { zone: person.zone, given: typed }), ...typed };
  const refused = ownProblems(operation, values);
  if (refused.length > 0) {
    const [first] = refused;
    await respond(callProblemMessage(`${first!.param}: ${first!.message}`, 'Nothing was run.'));
    return;
  }
  const parsed = parseInput(operation, values, { now: deps.clock.now() });
  if (!parsed.ok || asForm || leavesOpen(operation, typed)) {
    const problems = parsed.ok
      ? []
      : parsed.problems.filter(({ param }) => given[param] !== undefined || isWithin(given, param));
    await openOperationForm(context, { operation, prefill: values, problems });
    return;
  }
  const input = parsed.input as Readonly<Record<string, unknown>>;
  const tooMany = ownProblems(operation, input);
  if (tooMany.length > 0) {
    await respond(callProblemMessage(`${tooMany[0]!.param}: ${tooMany[0]!.message}`, 'Nothing was run.'));
    return;
  }
  if (needsConfirmation(operation, input)) {
    const account = await accountOf(deps, actor.owner);
    await modal.fill(operation.title, () => confirmWindow(context, account, { operation, input }));
    return;
  }
  const line = `${operation.title}: waiting for the account…`;
  word.set(message(escaped(line), [richText([textElement(line)])]));
  const names = await cachedNamesIn(await accountOf(deps, actor.owner), operation, input);
  const output = await performChecked(context, operation, input);
  await respond((await answerOf(context, { operation, input, output, names })).message);
}

/** A problem with a list of records belongs to what was typed for it. */
function isWithin(given: Readonly<Record<string, string>>, param: string): boolean {
  return Object.keys(given).some((name) => name.startsWith(`${param}[`));
}

/** Whether a form should ask: a change of nothing, or one that resets what it does not name. */
function leavesOpen(operation: Operation, typed: Readonly<Record<string, unknown>>): boolean {
  const keys = currentReaderOf(operation)?.keys;
  if (!keys) {
    return false;
  }
  const says = (name: string) => typed[name] !== undefined;
  const changes = Object.entries(operation.input).some(
    ([name, param]) => !keys.includes(name) && says(name) && (typed[name] === '' || !isAbsent(param, typed[name])),
  );
  const resets = Object.entries(operation.input).some(
    ([name, { resetWhenOmitted }]) => resetWhenOmitted && !says(name),
  );
  return !changes || resets;
}
