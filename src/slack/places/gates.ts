/** The names of gates: devices under the account's names. Several devices of one name are one gate. */
import { type OwnerNamesDeps, ownerNames } from '../../codereadr/names.js';
import type { Owner } from '../../ownership.js';
import type { GateFigures } from '../../places/index.js';

export type GateName = (gate: string) => string;

const unnamedGate = 'No device';

/** The names of gates. Never rejects: a device without a name is shown by its id. */
export async function gateNames(deps: OwnerNamesDeps, owner: Owner): Promise<GateName> {
  const nameOf = await ownerNames(deps, owner, (names) => names.findNames(['devices']));
  return (gate) => (gate === '' ? unnamedGate : (nameOf('device', gate) ?? gate));
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
