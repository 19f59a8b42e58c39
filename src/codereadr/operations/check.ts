/**
 * Validation of an input against its declaration, before a call: first each parameter, then the parameters together.
 * Each problem has a sentence for the person who typed it and, where there is one, the account's error code.
 */
import { DateTime } from 'luxon';
import type { z } from 'zod';
import { listOf } from '../../english.js';
import type { InputOf, Operation, Param, ServicePeriod } from './operation.js';
import { isPlainPage, notPlainPage } from './page.js';
import { isAbsent, schemaOf } from './param-schema.js';
import { asDeclared, expand } from './php-names.js';

export { expand } from './php-names.js';

export interface InputProblem {
  /** The parameter under which a form shows the problem. */
  readonly param: string;
  /** The exact place, by its name on the wire: `values[3][value]`; the parameter's name where it has no parts. */
  readonly path: string;
  /** The account's error code for the problem, where one fits. */
  readonly apiCode?: string;
  /** The problem in one sentence, for the user. */
  readonly message: string;
}

export type Parsed<Input> =
  | { readonly ok: true; readonly input: Input }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

export interface CheckOptions {
  /** The present time in milliseconds: if given, a service's period that has ended everywhere on earth is a problem. */
  readonly now?: number;
}

/**
 * Parses the input of a form, a command line (with names such as `values[0][value]`) or code. Texts stay as they are; a
 * zone or a time (`09:30`) is rewritten as the account wants it, if it has only one meaning.
 */
export function parseInput<Op extends Operation>(
  operation: Op,
  rawInput: Readonly<Record<string, unknown>>,
  options: CheckOptions = {},
): Parsed<InputOf<Op>> {
  const expandedInput = expand(rawInput);
  const problems: InputProblem[] = [];
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(expandedInput)) {
    if (!Object.hasOwn(operation.input, name)) {
      problems.push({
        param: name,
        path: name,
        message: `There is no parameter “${name}” in ${operation.section} ${operation.action}.`,
      });
    }
  }
  for (const [paramName, param] of Object.entries(operation.input)) {
    const value = asDeclared(param, expandedInput[paramName]);
    if (isAbsent(param, value)) {
      continue;
    }
    if (hasProto(param, value)) {
      problems.push({ param: paramName, path: `${paramName}[__proto__]`, message: 'A name can’t be “__proto__”.' });
      continue;
    }
    const parsed = schemaOf(param).safeParse(value);
    if (parsed.success) {
      values[paramName] = parsed.data;
    } else {
      problems.push(problemIn(paramName, param, parsed.error));
    }
  }
  const wrongNames = new Set(problems.map((problem) => problem.param));
  for (const [name, param] of Object.entries(operation.input)) {
    if (!wrongNames.has(name)) {
      problems.push(...crossFieldProblems(name, param, operation, values));
    }
  }
  if (operation.period) {
    problems.push(...periodProblems(operation.period, values, options.now));
  }
  return problems.length === 0 ? { ok: true, input: values as InputOf<Op> } : { ok: false, problems };
}

/** Whether a value has the name `__proto__`, the only one that an object would silently lose. */
function hasProto(param: Param, value: unknown): boolean {
  return param.type === 'pairs' && typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__');
}

const missingCodes = new Set(['131', '132', '133', '134', '135', '211', '269', '341', '342', '1028', '1029', '410']);
const idCodes = new Set(['262', '270', '300']);

function problemIn(paramName: string, param: Param, error: z.ZodError): InputProblem {
  const issue = deepest(error.issues[0]);
  const pathInParam = (error.issues[0]?.path ?? []).map((part) => `[${String(part)}]`).join('');
  const code = issue && 'params' in issue ? (issue.params as { code?: string } | undefined)?.code : undefined;
  const fitting = code === 'id' ? idCodes : code === 'missing' ? missingCodes : new Set([code]);
  const apiCode = param.errors?.find((known) => fitting.has(known));
  return {
    param: paramName,
    path: `${paramName}${pathInParam}`,
    ...(apiCode !== undefined && { apiCode }),
    message: issue?.message ?? 'This value can’t be sent.',
  };
}

/** The deepest problem: where several types were tried, that of the type which matched says more than "invalid". */
function deepest(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union') {
    return issue;
  }
  const tried = issue.errors.map((issues) => issues[0]).filter((found) => found !== undefined);
  return deepest(tried.find((found) => found.code === 'custom')) ?? issue;
}

type Values = Readonly<Record<string, unknown>>;

function crossFieldProblems(name: string, param: Param, operation: Operation, values: Values): readonly InputProblem[] {
  const problem = (message: string, apiCode?: string): InputProblem => ({
    param: name,
    path: name,
    ...(apiCode !== undefined && { apiCode }),
    message,
  });
  const value = values[name];
  if (value === undefined || value === '') {
    const missing = missingCode(param, values);
    if (missing !== undefined) {
      return [problem('This field is required.', missing)];
    }
  }
  if (value === '' && param.secret) {
    return [problem('This can’t be empty. Enter it, or leave it out.')];
  }
  // A boolean that is off conflicts with nothing.
  if (value === undefined || value === false) {
    return [];
  }
  const problems: InputProblem[] = [...incompleteRecords(name, param, values)];
  const { onlyWhen } = param;
  if (onlyWhen && values[onlyWhen.param] !== undefined && !onlyWhen.is.includes(String(values[onlyWhen.param]))) {
    problems.push(
      problem(`This isn’t available with the selected ${labelOf(operation, onlyWhen.param)}.`, onlyWhen.code),
    );
  }
  const lackingNames = param.requires?.filter((other) => values[other] === undefined) ?? [];
  if (lackingNames.length > 0) {
    problems.push(
      problem(`This requires ${listOf(lackingNames.map((other) => labelOf(operation, other)))}.`, param.requiresCode),
    );
  }
  const { pageWhen } = param;
  if (pageWhen?.is.includes(String(values[pageWhen.param])) && !isPlainPage(String(value))) {
    problems.push(problem(notPlainPage, pageWhen.code));
  }
  const clashing = param.conflictsWith?.filter((other) => values[other] !== undefined) ?? [];
  if (clashing.length > 0) {
    problems.push(
      problem(`Enter either this or ${clashing.map((other) => labelOf(operation, other)).join(', ')}, not both.`),
    );
  }
  return problems;
}

/** Problems of records that lack a value which no parameter sets for all: the service would silently ignore them. */
function incompleteRecords(paramName: string, param: Param, values: Values): readonly InputProblem[] {
  if (param.type !== 'records') {
    return [];
  }
  const records = values[paramName] as readonly Values[];
  return Object.entries(param.fields).flatMap(([field, { requiredWithout }]) => {
    if (requiredWithout === undefined || values[requiredWithout] !== undefined) {
      return [];
    }
    const index = records.findIndex((record) => record[field] === undefined);
    const path = `${paramName}[${index}][${field}]`;
    return index === -1 ? [] : [{ param: requiredWithout, path, apiCode: '50', message: 'This field is required.' }];
  });
}

/** The API code for a missing parameter; `undefined` where it is optional. */
function missingCode(param: Param, values: Values): string | undefined {
  const usualCode = param.errors?.find((code) => missingCodes.has(code)) ?? '50';
  const { required, requiredWhen, requiredUnlessEmail } = param;
  if (required) {
    return usualCode;
  }
  if (requiredWhen?.is.includes(String(values[requiredWhen.param]))) {
    return requiredWhen.code ?? usualCode;
  }
  if (requiredUnlessEmail) {
    const holder = values[requiredUnlessEmail.param];
    return typeof holder === 'string' && !schemaOf({ type: 'email', description: '' }).safeParse(holder).success
      ? (requiredUnlessEmail.code ?? usualCode)
      : undefined;
  }
  return undefined;
}

function periodProblems(period: ServicePeriod, values: Values, now: number | undefined): readonly InputProblem[] {
  const start = momentOf(values[period.startDate], values[period.startTime], '00:00:00');
  const endsAt = momentOf(values[period.endDate], values[period.endTime], '23:59:59');
  const problem = (message: string, apiCode: string | undefined): InputProblem => ({
    param: period.endDate,
    path: period.endDate,
    ...(apiCode !== undefined && { apiCode }),
    message,
  });
  if (start && endsAt && endsAt < start) {
    return [problem('The end is before the start.', period.orderCode)];
  }
  // The account's zone is unknown: an end has passed once it has in the last zone on earth.
  if (endsAt && now !== undefined && period.pastCode !== undefined && endsAt.plus({ hours: 12 }).toMillis() < now) {
    return [problem('The end date is in the past.', period.pastCode)];
  }
  return [];
}

function momentOf(date: unknown, time: unknown, defaultTime: string): DateTime | undefined {
  if (typeof date !== 'string' || date === '') {
    return undefined;
  }
  const day = date.includes('/') ? 'MM/dd/yyyy' : 'yyyy-MM-dd';
  const hours = typeof time === 'string' && time !== '' ? time : defaultTime;
  const clock = /m$/i.test(hours) ? 'h:mma' : 'HH:mm:ss';
  const moment = DateTime.fromFormat(`${date} ${hours}`, `${day} ${clock}`, { locale: 'en-US', zone: 'utc' });
  return moment.isValid ? moment : undefined;
}

/** A parameter's label in forms, or its name spelled out. */
export function labelOf(operation: Operation, paramName: string): string {
  const label = operation.input[paramName]?.label;
  if (label !== undefined) {
    return label;
  }
  const spelledOut = paramName
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/\b(url|gps|id|ids)\b/g, (part) => (part === 'ids' ? 'IDs' : part.toUpperCase()));
  return spelledOut.charAt(0).toUpperCase() + spelledOut.slice(1);
}
