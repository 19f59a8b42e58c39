/** The names of gates: devices under the account's names. Several devices of one name are one gate. */
import { noNames, type OwnerNamesDeps, ownerNames } from '../../codereadr/names.js';
import type { Owner } from '../../ownership.js';
import type { GateFigures } from '../../places/index.js';

export type GateName = (gate: string) => string;

export const unnamedGate = 'No device';
const allGates = 'All devices (no account is connected)';

/**
 * The names of gates. Never rejects: a device without a name is shown by its id. Without an account, the two ids that
 * one device may have cannot be told from those of two: all devices are one gate.
 */
export async function gateNames(deps: OwnerNamesDeps, owner: Owner): Promise<GateName> {
  const nameOf = await ownerNames(deps, owner, (names) => names.findNames(['devices']));
  return (gate) => (gate === '' ? unnamedGate : nameOf === noNames ? allGates : (nameOf('device', gate) ?? gate));
}

export interface NamedGate extends Omit<GateFigures, 'gate'> {
  readonly name: string;
}

/** The gates by name, the busiest first. */
export function byName(gates: readonly GateFigures[], nameOf: GateName): readonly NamedGate[] {
  const named = new Map<string, NamedGate>();
  for (const { gate, ins, outs } of gates) {
    const name = nameOf(gate);
    const before = named.get(name) ?? { name, ins: 0, outs: 0 };
    named.set(name, { name, ins: before.ins + ins, outs: before.outs + outs });
  }
  return [...named.values()].sort((one, other) => other.ins + other.outs - one.ins - one.outs);
}
