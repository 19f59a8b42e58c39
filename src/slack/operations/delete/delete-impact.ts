/**
 * The impact of a delete, or of a change to all items: the items, read from the account, and what is deleted with them.
 * Where the account cannot say, nothing is deleted.
 */
import { rowOf } from '../../../codereadr/barcode-equality.js';
import { readExactValues } from '../../../codereadr/exact-values.js';
import { scanProperties } from '../../../codereadr/operations/index.js';
import type { Operation, ReferenceKind } from '../../../codereadr/operations/operation.js';
import type { Account } from '../../../codereadr/types.js';
import { countOf, listOf, plural } from '../../../english.js';
import { resultWords, validity } from '../../../scans/result-words.js';
import { cut } from '../../block-kit/elements.js';
import { barcodeElement, bold } from '../../block-kit/text.js';
import { isListed, resourcesOf } from '../form/resources.js';
import { hiddenText, isSecret } from '../secret-properties.js';
import type { Values } from '../types.js';
import { type DeleteImpact, databasesOf, impactOfKind, longestName, notFound } from './read-delete-impact.js';

/**
 * @param secrets names of properties whose values are never shown
 * @throws AccountError, also where an item to delete does not exist
 */
export async function readDeleteImpact(
  account: Account,
  operation: Operation,
  input: Values,
  secrets: readonly string[],
): Promise<DeleteImpact> {
  if (operation.effect !== 'delete') {
    return allImpact(account, operation, input);
  }
  const params = Object.entries(operation.input);
  const barcode = params.find(([, { type }]) => type === 'barcode')?.[0];
  if (barcode !== undefined) {
    return valueImpact(account, String(input.database_id), String(input[barcode]));
  }
  if (operation.section === 'scan_properties') {
    return propertyImpact(account, String(input.scan_id), String(input.name), isSecret(operation, input, secrets));
  }
  const targets = params.flatMap(([name, param]) =>
    param.type === 'id' || param.type === 'ids' ? [{ kind: param.of, ids: [input[name]].flat().map(String) }] : [],
  );
  const [first] = targets;
  if (!first) {
    throw new TypeError(`${operation.section}/${operation.action} has no id parameter to delete by`);
  }
  return operation.action === 'clear'
    ? valuesImpact(account, first.ids[0]!)
    : impactOfKind[first.kind](account, first.ids);
}

async function valuesImpact(account: Account, id: string): Promise<DeleteImpact> {
  const [database] = await databasesOf(account, [id]);
  const { name, count, serviceIds } = database!;
  const values = count === undefined ? 'All values (number unknown)' : `All ${countOf(count, 'value')}`;
  return {
    lines: [
      [bold(values), ' of ', bold(cut(name, longestName)), ` (ID ${id})`],
      [
        `The database itself is kept. ${serviceIds.length === 0 ? 'No service uses it.' : `${countOf(serviceIds.length, 'service')} ${plural(serviceIds.length, 'uses', 'use')} it. Scans will find no match.`}`,
      ],
    ],
    summary: `${values} of ${cut(name, longestName)}`,
  };
}

async function valueImpact(account: Account, databaseId: string, value: string): Promise<DeleteImpact> {
  const [[database], values] = await Promise.all([
    databasesOf(account, [databaseId]),
    readExactValues(account.client, databaseId, value),
  ]);
  const row = rowOf(values, value, undefined) ?? values[0];
  if (!row) {
    throw notFound('value', '1017');
  }
  return {
    lines: [
      ['Barcode ', barcodeElement(row.value), ' of ', bold(cut(database!.name, longestName))],
      [
        resultWords[validity(row.valid)],
        row.response === '' ? ' and has no response.' : `, with the response: ${cut(row.response, 300)}`,
      ],
    ],
    summary: `a barcode in ${cut(database!.name, longestName)}`,
  };
}

async function propertyImpact(account: Account, scanId: string, name: string, secret: boolean): Promise<DeleteImpact> {
  const { value } = await account.client.call(scanProperties.retrieve, { scan_id: scanId, name });
  return {
    lines: [
      ['Property ', bold(cut(name, longestName)), ' of scan ', bold(scanId)],
      ['Value: ', secret ? hiddenText : barcodeElement(value)],
    ],
    summary: `property ${cut(name, longestName)} of scan ${scanId}`,
  };
}

/** The impact of a change to all items: how many there are. */
async function allImpact(account: Account, operation: Operation, input: Values): Promise<DeleteImpact> {
  const amounts = await Promise.all(
    Object.entries(operation.input).flatMap(([name, param]) =>
      param.type === 'ids' && input[name] !== undefined ? [affectedCount(account, param.of, input[name])] : [],
    ),
  );
  return {
    lines: [[bold(`${operation.title}: this affects ${listOf(amounts)}.`)], ['Check this before you continue.']],
    summary: listOf(amounts),
  };
}

async function affectedCount(account: Account, kind: ReferenceKind, value: unknown): Promise<string> {
  const ids = [value].flat();
  if (!ids.includes('all')) {
    return countOf(ids.length, kind);
  }
  return isListed(kind) ? `all ${countOf((await resourcesOf(account, kind)).length, kind)}` : `all ${kind}s`;
}
