/**
 * The command `/scandesk call SECTION ACTION [name=value ...]`: any operation of the account.
 * A form asks for what is missing; a delete is confirmed first.
 */
import { currentReaderOf } from '../../codereadr/current-values.js';
import { expand, type InputProblem, parseInput } from '../../codereadr/operations/check.js';
import { operations } from '../../codereadr/operations/index.js';
import type { Operation } from '../../codereadr/operations/operation.js';
import { isAbsent } from '../../codereadr/operations/param-schema.js';
import { cut, type Message } from '../block-kit/elements.js';
import { textMessage } from '../block-kit/text.js';
import type { Subcommand } from '../bolt/routing/commands.js';
import type { CommandContext } from '../bolt/routing/context.js';
import { accountOf } from '../connection/account.js';
import { cachedNamesIn } from '../connection/cached-names.js';
import { callProblemMessage, notThereMessage, sectionMessage, sectionsMessage } from './call-help.js';
import { actionsOf, type CallText, readCallText } from './call-text.js';
import { confirmView } from './delete/confirm.js';
import { limitProblems, needsConfirmation, startingValues } from './form/limits.js';
import { openOperationForm } from './form/open-form.js';
import { performChecked, requiredRoleFor } from './perform.js';
import { answerOf } from './result/answer.js';
import type { Values } from './types.js';

export const call: Subcommand = {
  name: 'call',
  usage: 'call [SECTION] [ACTION] [name=value …]',
  description: 'Run any API operation. Leave blank to see the list.',
  role: 'everyone',
  prepare(text) {
    const read = readCallText(text);
    if (read.kind !== 'call') {
      return { run: (context) => context.respond(answerTo(read)) };
    }
    const { kind } = nextStep(read);
    return {
      modalTitle: kind === 'form' || kind === 'confirm' ? read.operation.title : undefined,
      run: (context) => callOperation(context, read),
    };
  },
};

type Call = Extract<CallText, { kind: 'call' }>;

type NextStep =
  | { readonly kind: 'refused'; readonly problem: InputProblem }
  | { readonly kind: 'form'; readonly prefill: Values; readonly problems: readonly InputProblem[] }
  | { readonly kind: 'confirm' | 'call'; readonly input: Values };

/** The next step of a call. `prepare` has no zone and no time yet: without `now`, a date in the past is no problem. */
function nextStep({ operation, given, asForm }: Call, zone?: string, now?: number): NextStep {
  const typedInput = expand(given);
  const prefill = { ...startingValues(operation, { zone, given: typedInput }), ...typedInput };
  const parsed = parseInput(operation, prefill, now === undefined ? {} : { now });
  const input = parsed.ok ? (parsed.input as Values) : undefined;
  const isForm = input === undefined || asForm || shouldAskInForm(operation, typedInput);
  const [problem] = [...limitProblems(operation, prefill), ...(isForm ? [] : limitProblems(operation, input))];
  if (problem) {
    return { kind: 'refused', problem };
  }
  if (isForm) {
    const problems = parsed.ok ? [] : parsed.problems;
    return { kind: 'form', prefill, problems: problems.filter(({ param }) => isGiven(given, param)) };
  }
  return { kind: needsConfirmation(operation, input) ? 'confirm' : 'call', input };
}

/** Whether a parameter was typed. A problem with a list of records belongs to the list's parameter. */
function isGiven(givenValues: Readonly<Record<string, string>>, param: string): boolean {
  return Object.keys(givenValues).some((name) => name === param || name.startsWith(`${param}[`));
}

function answerTo(readResult: Exclude<CallText, { kind: 'call' }>): Message {
  switch (readResult.kind) {
    case 'sections':
      return sectionsMessage(operations);
    case 'section':
      return sectionMessage(readResult.section, actionsOf(readResult.section));
    case 'no_section':
      return notThereMessage('There is no section', readResult, '/scandesk call');
    case 'no_action':
      return notThereMessage(`${readResult.section} has no action`, readResult, `/scandesk call ${readResult.section}`);
    case 'unknown_param': {
      const { section, action } = readResult.operation;
      return notThereMessage(`${section} ${action} has no parameter`, readResult, `/scandesk call ${section}`);
    }
    case 'no_pair':
      return callProblemMessage(
        `“${cut(readResult.typed, 100)}” isn’t in the form name=value.`,
        'Put values with spaces in double quotes, and double any quotes inside them. Nothing was run.',
      );
    case 'open_quote':
      return callProblemMessage(
        `The value of ${readResult.name} has no closing quote.`,
        'End the value with a double quote. Nothing was run.',
      );
    case 'twice':
      return callProblemMessage(`${readResult.name} appears twice.`, 'Enter it once. Nothing was run.');
    case 'refused':
      return readResult.why === 'secret'
        ? callProblemMessage(
            `${readResult.name} is a secret, so you can’t enter it in a command.`,
            'Leave it out, and a form will ask for it. Nothing was run.',
          )
        : callProblemMessage(
            `You can’t set ${readResult.name} in a command.`,
            'The section and action are the first two words, and the API key is that of the connected account. Nothing was run.',
          );
  }
}

async function callOperation(context: CommandContext, call: Call): Promise<void> {
  const { deps, actor, client, person, respond, modal, slowNotice } = context;
  const { operation } = call;
  await deps.permissions.require(client, actor, requiredRoleFor(operation));
  const step = nextStep(call, person.zone, deps.clock.now());
  if (step.kind === 'refused') {
    await respond(callProblemMessage(`${step.problem.param}: ${step.problem.message}`, 'Nothing was run.'));
    return;
  }
  if (step.kind === 'form') {
    await openOperationForm(context, { operation, prefill: step.prefill, problems: step.problems });
    return;
  }
  const { input } = step;
  if (step.kind === 'confirm') {
    const account = await accountOf(deps, actor.owner);
    await modal.fill(operation.title, () => confirmView(context, account, { operation, input }));
    return;
  }
  slowNotice.set(textMessage(`${operation.title}: waiting for the account…`));
  const names = await cachedNamesIn(await accountOf(deps, actor.owner), operation, input);
  const output = await performChecked(context, operation, input);
  await respond((await answerOf(context, { operation, input, output, names })).message);
}

/** Whether a form should ask: the typed change changes nothing, or would reset settings that it does not name. */
function shouldAskInForm(operation: Operation, input: Values): boolean {
  const keys = currentReaderOf(operation)?.keys;
  if (!keys) {
    return false;
  }
  const isTyped = (name: string) => input[name] !== undefined;
  const changes = Object.entries(operation.input).some(
    ([name, param]) => !keys.includes(name) && isTyped(name) && (input[name] === '' || !isAbsent(param, input[name])),
  );
  const resets = Object.entries(operation.input).some(
    ([name, { resetWhenOmitted }]) => resetWhenOmitted && !isTyped(name),
  );
  return !changes || resets;
}
