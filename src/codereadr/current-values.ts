/**
 * The current state of an item that an operation changes: the parameters that identify it, the read that fetches it,
 * its current values. A value that an answer leaves out is unknown, not empty.
 */
import { rowOf } from './barcode-equality.js';
import { readExactValues } from './exact-values.js';
import { type InputProblem, labelOf } from './operations/check.js';
import { databases, devices, operationName, scanProperties, services, users } from './operations/index.js';
import type { Operation } from './operations/operation.js';
import { type AccountClient, AccountError } from './types.js';

/** Values by parameter of the changing operation. */
type Values = Readonly<Record<string, unknown>>;

export interface CurrentItem {
  /** The item's name. */
  readonly name: string;
  /** The values that the account reports, by parameter of the changing operation. */
  readonly values: Values;
  /** Values that cannot change but limit other values: by parameter of the operation that created the item. */
  readonly fixed: Values;
}

export interface CurrentReader {
  /** The parameters that identify the item. */
  readonly keys: readonly string[];
  /** The operation that creates such items: its conditions hold for a change, too. */
  readonly createdBy?: Operation;
  /** Reads the item. @throws AccountError; `account.refused` also where the answer of a listing lacks the item */
  read(client: AccountClient, keys: Values): Promise<CurrentItem>;
}

const idList = (value: unknown): readonly string[] => [String(value)];

const readers: ReadonlyMap<string, CurrentReader> = new Map(
  (
    [
      [
        services.update,
        {
          keys: ['service_id'],
          createdBy: services.create,
          async read(client, keys) {
            const answer = await client.call(services.retrieve, { service_id: idList(keys.service_id) });
            const firstService = firstOrRefused(answer.services, services.update, '200');
            return {
              name: firstService.name,
              values: {
                service_name: firstService.name,
                ...optional('description', firstService.description),
                ...optional('database_id', firstService.databaseId),
                ...optional('postback_url', firstService.postbackUrl),
                ...optional('duplicate_value', flag(firstService.duplicateScanValue)),
              },
              fixed: optional('validation_method', firstService.validationMethod || undefined),
            };
          },
        },
      ],
      [
        users.update,
        {
          keys: ['user_id'],
          async read(client, keys) {
            const answer = await client.call(users.retrieve, { user_id: idList(keys.user_id) });
            const found = firstOrRefused(answer.users, users.update, '201');
            const limit = found.limit !== undefined && /^\d{1,15}$/.test(found.limit) ? Number(found.limit) : undefined;
            return {
              name: found.username,
              values: { username: found.username, ...optional('limit', limit) },
              fixed: {},
            };
          },
        },
      ],
      [
        devices.update,
        {
          keys: ['device_id'],
          async read(client, keys) {
            const answer = await client.call(devices.retrieve, { device_id: idList(keys.device_id) });
            const found = firstOrRefused(answer.devices, devices.update, '410');
            return { name: found.name, values: { device_name: found.name }, fixed: {} };
          },
        },
      ],
      [
        databases.update,
        {
          keys: ['database_id'],
          async read(client, keys) {
            const answer = await client.call(databases.retrieve, { database_id: idList(keys.database_id) });
            const found = firstOrRefused(answer.databases, databases.update, '204');
            return { name: found.name, values: { database_name: found.name }, fixed: {} };
          },
        },
      ],
      [
        databases.editvalue,
        {
          keys: ['database_id', 'value'],
          async read(client, keys) {
            const value = String(keys.value);
            const values = await readExactValues(client, String(keys.database_id), value);
            // A database that ignores case answers with the stored spelling, so the value's own row is looked for.
            const row = rowOf(values, value, undefined);
            const found = firstOrRefused(row ? [row] : values, databases.editvalue, '1017');
            return { name: found.value, values: { response: found.response, validity: found.valid }, fixed: {} };
          },
        },
      ],
      [
        scanProperties.update,
        {
          keys: ['scan_id', 'name'],
          async read(client, keys) {
            const scans = [keys.scan_id].flat();
            const name = String(keys.name);
            if (scans.length !== 1) {
              return { name, values: {}, fixed: {} };
            }
            const { value } = await client.call(scanProperties.retrieve, { scan_id: String(scans[0]), name });
            return { name, values: { value }, fixed: {} };
          },
        },
      ],
    ] satisfies [Operation, CurrentReader][] as [Operation, CurrentReader][]
  ).map(([operation, current]) => [operationName(operation), current]),
);

/** The reader of the values that an operation changes; `undefined` where the account returns none of them. */
export function currentReaderOf(operation: Operation): CurrentReader | undefined {
  return readers.get(operationName(operation));
}

/**
 * The input plus the values that the account requires along with it, as they are now: one call where one is missing.
 * @throws AccountError; `account.input` where there is no value to send along
 */
export async function withCompanions(client: AccountClient, operation: Operation, input: Values): Promise<Values> {
  const missing = Object.entries(operation.input).flatMap(([name, { sentWith = [], requiresCode }]) => {
    const lacking = input[name] === undefined ? [] : sentWith.filter((other) => input[other] === undefined);
    return lacking.map((other) => ({ name, other, code: requiresCode }));
  });
  if (missing.length === 0) {
    return input;
  }
  const current = await currentReaderOf(operation)?.read(client, input);
  const problems = missing.flatMap(({ name, other, code }): InputProblem[] =>
    current?.values[other] === undefined
      ? [
          {
            param: name,
            path: name,
            ...(code && { apiCode: code }),
            message: `This requires ${labelOf(operation, other)}, which isn’t set yet.`,
          },
        ]
      : [],
  );
  if (problems.length > 0) {
    const { param, apiCode } = problems[0]!;
    const why = `${operationName(operation)}: ${param} lacks what goes along with it`;
    throw new AccountError('account.input', why, { problems, param, ...(apiCode && { apiCode }) });
  }
  return { ...input, ...Object.fromEntries(missing.map(({ other }) => [other, current?.values[other]])) };
}

function firstOrRefused<T>(found: readonly T[], operation: Operation, apiCode: string): T {
  const [first] = found;
  if (first === undefined) {
    throw new AccountError('account.refused', `${operationName(operation)}: what is to be changed is not there`, {
      apiCode,
    });
  }
  return first;
}

function optional(name: string, value: unknown): Values {
  return value === undefined ? {} : { [name]: value };
}

function flag(sent: string | undefined): boolean | undefined {
  return sent === '1' ? true : sent === '0' ? false : undefined;
}
