/**
 * Who admits a barcode: services of the account that check a database, and relays that do. Read only where there are scans
 * that they may have checked; the account's list of services is the one kept for names.
 */
import type { Account, CallOptions, Service } from '../account/types.js';
import type { RelayGate } from '../relay/index.js';
import { type Attempt, attempt } from './failure.js';
import { isResult } from './headline.js';
import type { Gate, SeenScan } from './types.js';

export interface Gates {
  readonly gates: readonly Gate[];
  readonly services: Attempt<readonly Service[]>;
}

export async function readGates(
  account: Account,
  scans: readonly SeenScan[],
  readRelays: () => Promise<readonly RelayGate[]>,
  options: CallOptions,
): Promise<Gates> {
  if (!scans.some(isResult)) {
    return { gates: [], services: { ok: true, value: [] } };
  }
  const [services, relays] = await Promise.all([
    attempt(account.reference.services(options), options.signal),
    readRelays(),
  ]);
  return { gates: gatesOf(services.ok ? services.value : [], relays, scans), services };
}

/** Those that can have checked one of the scans, or can still admit the barcode once. */
export function gatesOf(
  services: readonly Service[],
  relays: readonly RelayGate[],
  scans: readonly SeenScan[],
): readonly Gate[] {
  const scannedAt = new Set(scans.map(({ service }) => service.id));
  const validatedBy = new Set(scans.map((scan) => scan.validatedBy));
  const postback = new Set(services.filter((one) => one.validationMethod === 'postback').map(({ id }) => id));
  return [
    ...services.flatMap(({ id, name, databaseId, validationMethod, duplicateScanValue }): Gate[] => {
      const checks = validationMethod === 'database' || validationMethod === 'ondevicedatabase';
      const once = checks && duplicateScanValue === '0';
      return databaseId !== undefined && (once || scannedAt.has(id))
        ? [
            {
              relay: false,
              id,
              name: name || id,
              databaseIds: [databaseId],
              serviceIds: [id],
              ...(once ? { once: {} } : {}),
            },
          ]
        : [];
    }),
    ...relays.flatMap(({ id, name, serviceIds, databaseIds, once }): Gate[] => {
      // Where only services post that check by themselves, the relay is told and decides nothing.
      const answersFor = serviceIds.filter((service) => postback.has(service));
      const decides = serviceIds.length === 0 || answersFor.length > 0 || validatedBy.has(id);
      return databaseIds.length > 0 && decides
        ? [{ relay: true, id, name, databaseIds, serviceIds: answersFor, ...(once ? { once } : {}) }]
        : [];
    }),
  ];
}
