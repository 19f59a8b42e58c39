/** Scandesk's own limits and defaults, on top of the account's rules. Pure. */
import type { InputProblem } from '../../../codereadr/operations/check.js';
import type { Operation } from '../../../codereadr/operations/operation.js';
import { asDeclared } from '../../../codereadr/operations/php-names.js';
import { zoneNamed } from '../../../codereadr/operations/zones.js';
import type { Values } from '../types.js';

/** The most results of a read: longer answers block the process while parsed, and nobody reads them. */
export const maxResults = 500;
export const defaultResults = 200;

/** The most items of a delete. Its confirmation names the first 15, and counts the others. */
export const maxDeleted = 100;
/** The most characters of ids in a delete: they must fit the confirmation's metadata. */
const longestDelete = 1_500;

/** Initial values of a form, and defaults of a command. */
export function startingValues(
  operation: Operation,
  { zone, given }: { readonly zone: string | undefined; readonly given: Values },
): Values {
  const values: Record<string, unknown> = {};
  const params = Object.entries(operation.input);
  const types = new Set(params.map(([, { type }]) => type));
  for (const [paramName, param] of params) {
    if (given[paramName] !== undefined || param.conflictsWith?.some((other) => given[other] !== undefined)) {
      continue;
    }
    if (param.type === 'zone' && !isExcluded(operation, paramName, given)) {
      const personZone = zone === undefined ? undefined : zoneNamed(zone);
      if (personZone !== undefined) values[paramName] = personZone;
    }
    // Trimming is off for a typed barcode, which keeps its spaces; a file is parsed by the account.
    if (paramName === 'trim_value' && param.type === 'boolean' && !types.has('file')) {
      values[paramName] = false;
    }
    if (paramName === 'limit' && operation.effect === 'read') {
      values[paramName] = defaultResults;
    }
  }
  return values;
}

function isExcluded(operation: Operation, name: string, givenValues: Values): boolean {
  return Object.entries(operation.input).some(
    ([other, { conflictsWith }]) => givenValues[other] !== undefined && conflictsWith?.includes(name),
  );
}

/** The problems with inputs that Scandesk refuses although the account would take them. */
export function limitProblems(operation: Operation, input: Values): readonly InputProblem[] {
  return Object.entries(operation.input).flatMap(([paramName, param]): readonly InputProblem[] => {
    const value = asDeclared(param, input[paramName]);
    const problem = (message: string) => [{ param: paramName, path: paramName, message }];
    if (operation.effect === 'delete' && param.type === 'ids') {
      if (isAll(value)) {
        return problem('Scandesk never deletes everything at once. Choose what to delete.');
      }
      return Array.isArray(value) && (value.length > maxDeleted || value.join().length > longestDelete)
        ? problem(`Scandesk deletes at most ${maxDeleted} at a time, and fewer where their IDs are long.`)
        : [];
    }
    if (paramName === 'limit' && operation.effect === 'read' && Number(value) > maxResults) {
      return problem(`Scandesk returns at most ${maxResults} results at a time. Narrow the search or use an offset.`);
    }
    return [];
  });
}

function isAll(value: unknown): boolean {
  const items = [value].flat().flatMap((each) => (typeof each === 'string' ? each.split(',') : []));
  return items.some((item) => item.trim().toLowerCase() === 'all');
}

/** Whether an operation must be confirmed: deletes, and changes to all items. */
export function needsConfirmation(operation: Operation, input: Values): boolean {
  const toAll = Object.entries(operation.input).some(([name, { type }]) => type === 'ids' && isAll(input[name]));
  return operation.effect === 'delete' || (operation.effect === 'write' && toAll);
}
