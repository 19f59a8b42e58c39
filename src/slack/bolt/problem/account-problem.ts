/** Explanations of the scanning account's errors. Pure. */
import { codes, meaningOf } from '../../../codereadr/errors.js';
import type { AccountError } from '../../../codereadr/types.js';
import { countOf, upperFirst } from '../../../english.js';
import { code, type Line, type LinePart, momentAfter, person, textElement, userGroup } from '../../block-kit/text.js';

/** An error explained: a heading, then what to do. `report`: the administrator should hear of it if it lasts. */
export interface Problem {
  readonly what: string;
  readonly todo: Line;
  readonly report?: true;
}

/** The facts on the reader and on the people who can help. `mayConnect`: the reader may connect an account. */
export interface Reader {
  readonly mayConnect?: boolean;
  /** Workspace admins and owners; empty where they are not known. */
  readonly admins?: readonly string[];
  /** People and groups whom an admin gave access. */
  readonly managers?: { readonly users: readonly string[]; readonly groups: readonly string[] };
  /** The person who connected the account, unless it is the reader. */
  readonly connectedBy?: string;
  /** The page where Scandesk is installed again, for an error that a new installation repairs. */
  readonly reinstallUrl?: string;
}

const mostNamed = 3;

/** "a workspace admin (@Ada, @Bo, @Cy and 2 more)"; just "a workspace admin" where the admins are not known. */
export function anAdmin({ admins = [] }: Reader): LinePart[] {
  const named = admins.slice(0, mostNamed).flatMap((id, at) => [at === 0 ? ' (' : ', ', person(id)]);
  const more = admins.length - mostNamed;
  return ['a workspace admin', ...named, ...(named.length > 0 ? [more > 0 ? ` and ${more} more)` : ')'] : [])];
}

/** " or @gate-crew or @Mia", three at most, groups first; empty where no admin gave anybody access. */
export function orManagers({ managers = { users: [], groups: [] } }: Reader): LinePart[] {
  const named = [...managers.groups.map(userGroup), ...managers.users.map(person)];
  return named.slice(0, mostNamed).flatMap((one) => [' or ', one]);
}

/** "Ask a workspace admin (@Ada) to enter a new one with "; to a reader who may do it: "Enter a new one with ". */
export function askOrDo(reader: Reader, task: string): LinePart[] {
  return reader.mayConnect
    ? [`${upperFirst(task)} with `]
    : ['Ask ', ...anAdmin(reader), ...orManagers(reader), ` to ${task} with `];
}

/** The problem of an error. An unconfirmed change may have been made: sent again unchecked, it may be made twice. */
export function accountProblem(error: AccountError, reader: Reader = {}): Problem {
  const problem = problemByCode(error, reader);
  return error.unconfirmed === undefined
    ? problem
    : {
        ...problem,
        what: `${problem.what} Your change may or may not have been saved.`,
        todo: ['Check first: ', ...lookAt(error.unconfirmed)],
      };
}

function problemByCode(error: AccountError, reader: Reader): Problem {
  switch (error.code) {
    case 'account.key_refused':
      return error.apiCode === '10'
        ? {
            what: 'The connected API key isn’t allowed to do this.',
            todo: [...askOrDo(reader, 'connect a key that is,'), code('/scandesk connect'), '.'],
          }
        : {
            what: 'The scanning account refused the connected API key.',
            todo: [...askOrDo(reader, 'enter a new one'), code('/scandesk connect'), '.'],
          };
    case 'account.quota':
      return quotaProblem(error, reader);
    case 'account.unreachable':
      return {
        what: 'The scanning account can’t be reached right now.',
        todo: 'Try again in a minute. If it continues, check the account’s status page.',
      };
    case 'account.slow':
      return {
        what: 'The scanning account took too long to respond.',
        todo: 'If you were making a change, check whether it was saved. Then try again.',
      };
    case 'account.broken':
      return error.reason === 'server_error'
        ? {
            what: 'The scanning account is having trouble right now.',
            todo: 'Its server returned an error. Try again in a minute.',
          }
        : {
            what: 'The scanning account sent a response that can’t be read.',
            todo: 'Try again in a minute.',
            report: true,
          };
    case 'account.input':
      return {
        what: 'The scanning account didn’t accept this.',
        todo: error.label ? `Check “${error.label}” and try again.` : 'Check what you entered and try again.',
      };
    case 'account.aborted':
      return {
        what: 'This was canceled before the account responded.',
        todo: 'Nothing was changed. Try again.',
      };
    case 'account.refused':
      return refusedProblem(error);
  }
}

/** Where the person can see whether the change was made. */
function lookAt(operation: string): LinePart[] {
  const [section = '', action = ''] = operation.split('/');
  if (section === 'databases' && action.endsWith('value')) {
    return [code('/barcode'), ' with the barcode shows its current value.'];
  }
  if (section === 'scan_properties') {
    return [code('/scandesk call scan_properties retrieve'), ' shows what is saved now.'];
  }
  return [code(`/scandesk ${section}`), ' shows what is saved now.'];
}

/** The explanation of a refusal: the code table's text; for a code that is not in the table, also the account's. */
function refusedProblem({ apiCode = '', apiText = '', meaning }: AccountError): Problem {
  const { title, todo } = meaning ?? meaningOf(apiCode);
  const accountText = apiText === '' ? [] : ['The account says: ', textElement(apiText, { italic: true }), '\n'];
  return codes.has(apiCode)
    ? { what: `${title}.`, todo }
    : { what: `${title}${apiCode === '' ? '' : ` (code ${apiCode})`}.`, todo: [...accountText, todo] };
}

function quotaProblem({ quota }: AccountError, { connectedBy }: Reader): Problem {
  const moreDetails =
    connectedBy === undefined ? [] : [' For more calls, ask ', person(connectedBy), ', who connected the account.'];
  if (!quota) {
    return {
      what: 'The account has no API calls left for now.',
      todo: ['Try again in a minute.', ...moreDetails],
    };
  }
  return {
    what: `The account ${quota.left > 0 ? 'doesn’t have enough' : 'has no'} API calls left ${quota.period === 'day' ? 'today' : 'this minute'}.`,
    todo: [...callsAgainText(quota), ' Try again then.', ...moreDetails],
  };
}

/** The text that says when calls are available again; where some are left, also that the request needs more. */
export function callsAgainText({ period, left, againAt }: NonNullable<AccountError['quota']>): LinePart[] {
  const callsLeftText = left <= 0 ? '' : `${countOf(left, 'call is', 'calls are')} left, but this needs more. `;
  const onTheMinute = againAt % 60_000 === 0;
  return [
    ...(callsLeftText === '' ? [] : [callsLeftText]),
    momentAfter(
      'The limit resets ',
      againAt,
      period === 'day' ? '{date_short_pretty} at {time}' : onTheMinute ? 'at {time}' : 'at {time_secs}',
    ),
    '.',
  ];
}
