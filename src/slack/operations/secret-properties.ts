/**
 * The hiding of scan properties that are a relay's shared secret. The account stores the secret with each scan; Slack
 * shows at most that there is one, never its value.
 */
import type { Operation } from '../../codereadr/operations/operation.js';
import type { OperationContext, Values } from './types.js';

/** The text in place of a secret, the same as for a password. */
export const hiddenText = '(hidden)';

/** The names of secret properties; empty for operations that do not deal with scan properties. */
export async function secretNames(
  { deps, actor }: Pick<OperationContext, 'deps' | 'actor'>,
  operation: Operation,
): Promise<readonly string[]> {
  return isAboutProperty(operation) || isSearch(operation) ? deps.relays.secretProperties(actor.owner) : [];
}

/** Whether the operation is about a single, secret property. */
export function isSecret(operation: Operation, input: Values, secrets: readonly string[]): boolean {
  return isAboutProperty(operation) && typeof input.name === 'string' && holds(secrets, input.name);
}

/** The input without a secret property's value, for messages and the audit log. */
export function withoutSecretValue(operation: Operation, input: Values, secrets: readonly string[]): Values {
  return input.value !== undefined && isSecret(operation, input, secrets) ? { ...input, value: hiddenText } : input;
}

/** The account's answer without secrets, ready to be shown. */
export function withoutSecretProperties(
  operation: Operation,
  input: Values,
  output: unknown,
  secrets: readonly string[],
): unknown {
  if (isSecret(operation, input, secrets)) {
    return { hidden: 'its value is a relay’s shared secret' };
  }
  if (secrets.length === 0 || !isSearch(operation)) {
    return output;
  }
  const { scans, ...otherOutput } = output as { readonly scans: readonly { readonly properties: readonly Item[] }[] };
  return {
    ...otherOutput,
    scans: scans.map((scan) => ({ ...scan, properties: scan.properties.filter(({ name }) => !holds(secrets, name)) })),
  };
}

interface Item {
  readonly name: string;
}

function isAboutProperty({ section }: Operation): boolean {
  return section === 'scan_properties';
}

function isSearch({ section, action }: Operation): boolean {
  return section === 'scans' && action === 'retrieve';
}

function holds(secrets: readonly string[], name: string): boolean {
  return secrets.some((secret) => comparableName(secret) === comparableName(name));
}

/** A name for comparison. The account ignores more than case: accents and outer spaces may not count. */
function comparableName(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').trim().toUpperCase().toLowerCase();
}
