/**
 * Gates, which admit a barcode: services of the account and relays that check a database. The cached list of services
 * is read only where a scan, kept or deleted, may have been checked by one.
 */
import type { Account, CallOptions, Service } from '../codereadr/types.js';
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
  const relays = await readRelays();
  if (!scans.some(isResult) && !relays.some(({ thrownAway }) => thrownAway)) {
    return { gates: [], services: { ok: true, value: [] } };
  }
  const services = await attempt(account.reference.services(options), options.signal);
  return { gates: gatesOf(services.ok ? services.value : undefined, relays, scans), services };
}

/**
 * The gates that can have checked one of the scans, or can still admit the barcode once.
 * @param listed undefined: the services are unknown
 */
export function gatesOf(
  listed: readonly Service[] | undefined,
  relays: readonly RelayGate[],
  scans: readonly SeenScan[],
): readonly Gate[] {
  const services = listed ?? [];
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
    ...relays.flatMap(({ id, name, serviceIds, databaseIds, once, thrownAway }): Gate[] => {
      // Where only services post that validate themselves, the relay is informed and decides nothing.
      const answersFor = serviceIds.filter((service) => postback.has(service));
      const decides = serviceIds.length === 0 || answersFor.length > 0 || validatedBy.has(id);
      // Whether it decided a deleted scan may depend on the unknown services.
      const unsure = !decides && listed === undefined && thrownAway !== undefined;
      const gone = unsure ? {} : thrownAway;
      return databaseIds.length > 0 && (decides || unsure)
        ? [
            {
              ...{ relay: true, id, name, databaseIds, serviceIds: answersFor },
              ...(once ? { once } : {}),
              ...(gone ? { thrownAway: gone } : {}),
            },
          ]
        : [];
    }),
  ];
}
