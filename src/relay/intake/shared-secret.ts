/** Shared secret in a scan property, which authenticates the sender. Only its hash is stored, and never with a scan. */
import { hash, timingSafeEqual } from 'node:crypto';
import type { Variables } from '../postback/form.js';
import type { RelaySettings } from '../record/settings.js';

/** The stored hash of a secret property's value, in hex. */
export function hashSharedSecret(value: string): string {
  return hash('sha256', value, 'hex');
}

/** Checks the secret. Returns the variables without the property; undefined if the secret is missing or wrong. */
export function verifySharedSecret(
  variables: Variables,
  property: NonNullable<RelaySettings['secretProperty']>,
): Variables | undefined {
  const wantedHash = Buffer.from(property.hash, 'hex');
  const values = variables.filter(([name]) => name === property.name).map(([, value]) => value);
  let proved = false;
  for (const value of values.length > 0 ? values : ['']) {
    const equal = timingSafeEqual(Buffer.from(hashSharedSecret(value), 'hex'), wantedHash);
    proved = proved || (equal && values.length > 0);
  }
  return proved ? withoutProperties(variables, [property.name]) : undefined;
}

/** Removes properties, and lists of their names (`key[]`, `key[0]`), which may hold the same secret. */
export function withoutProperties(variables: Variables, names: readonly string[]): Variables {
  return variables.filter(([name]) => !names.some((one) => name === one || name.startsWith(`${one}[`)));
}
