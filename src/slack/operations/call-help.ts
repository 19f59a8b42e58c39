/** Help and problem messages of `/scandesk call`. Pure. */
import type { Operation } from '../../codereadr/operations/operation.js';
import { cut, type Message, message } from '../block-kit/elements.js';
import { bold, bulletList, code, escaped, joined, type LinePart, richText, textMessage } from '../block-kit/text.js';

const example = '/scandesk call databases showvalues database_id=1021 value="00123"';

export function sectionsMessage(operations: readonly Operation[]): Message {
  const sections = [...new Set(operations.map(({ section }) => section))];
  const items = sections.map((section) => {
    const sectionOperations = operations.filter((operation) => operation.section === section);
    return joined([bold(section), ...sectionOperations.map(({ action }) => code(action))], '  ');
  });
  return message('API operations', [
    richText([bold('API operations')], usage()),
    bulletList(items),
    richText(['Example: ', code(example)]),
  ]);
}

function usage(): LinePart[] {
  return [
    code('/scandesk call SECTION ACTION name=value …'),
    '  Put values with spaces in double quotes. A form asks for anything missing. Add ',
    code('?'),
    ' at the end to always open the form. ',
    code('/scandesk call SECTION'),
    ' lists the parameters.',
  ];
}

/** The actions of a section with their parameters, except secrets; required ones first, with a star. */
export function sectionMessage(section: string, operations: readonly Operation[]): Message {
  const items = operations.map((operation) => [code(operation.action), `  ${operation.title}${namesOf(operation)}`]);
  return message(`Operations of ${section}`, [
    richText([bold(`/scandesk call ${section} …`)]),
    bulletList(items),
    richText('Parameters marked with * are required. If you leave one out, a form asks for it.'),
  ]);
}

const longestNames = 900;

function namesOf({ input }: Operation): string {
  const params = Object.entries(input).filter(([, { secret }]) => !secret);
  const starred = params.filter(([, { required }]) => required).map(([name]) => `${name}*`);
  const others = params.filter(([, { required }]) => !required).map(([name]) => name);
  const names = [...starred, ...others].join(', ');
  return names === '' ? '' : `: ${cut(names, longestNames)}`;
}

/** The message that names an unknown typed word, with hints. `beginning`: `There is no section`. */
export function notThereMessage(
  beginning: string,
  { typed, hints }: { readonly typed: string; readonly hints: readonly string[] },
  nextText: string,
): Message {
  const problem = `${beginning} “${cut(typed, 100)}”.`;
  const question: LinePart[] = hints.length === 0 ? [] : [' Did you mean ', ...joined(hints.map(code), ' or '), '?'];
  return message(escaped(problem), [richText([bold(problem), ...question], ['To see the list: ', code(nextText)])]);
}

/** The message that says why no operation was run, and what to do. */
export function callProblemMessage(problem: string, todo: string): Message {
  return textMessage([bold(problem)], todo);
}
