/**
 * Validators, which admit a barcode: services of the account and relays that check a database. The cached list of
 * services is read only where a service may have checked a scan, stored or deleted.
 */
import type { Service } from '../codereadr/types.js';
import type { RelayValidator } from '../relay/index.js';
import type { SeenScan } from '../scans/seen-scan.js';
import type { ListPart } from './account-lists.js';
import { isResult } from './checked-scans.js';
import type { Validator } from './types.js';

export async function readValidators(
  scans: readonly SeenScan[],
  readRelays: () => Promise<readonly RelayValidator[]>,
  account: {
    /** Whether a service that was known, and is gone, may have admitted the barcode. */
    mayBeGone(): Promise<boolean>;
    services(): Promise<ListPart<Service>>;
    gone(): Promise<readonly Service[]>;
  },
): Promise<{ validators: readonly Validator[]; services: ListPart<Service> | undefined }> {
  const relays = await readRelays();
  const isChecked = scans.some((scan) => isResult(scan) || scan.status === 'other');
  const needsServices = isChecked || relays.some(({ prunedAdmissions }) => prunedAdmissions);
  if (!needsServices && !(await account.mayBeGone())) {
    return { validators: [], services: undefined };
  }
  const services = await account.services();
  const list = services.list.ok ? services.list.value : undefined;
  // Scans of a service may be deleted with it: whether it admitted the barcode is unknown.
  const gone = (await account.gone()).flatMap(({ id, name, databaseId, duplicateScanValue }): Validator[] =>
    databaseId === undefined || duplicateScanValue !== '0'
      ? []
      : [{ relay: false, id, name: name || id, databaseIds: [databaseId], serviceIds: [], thrownAway: {} }],
  );
  return { validators: [...validatorsOf(list, relays, scans), ...gone], services };
}

/**
 * The validators that can have checked one of the scans, or can still admit the barcode once.
 * @param serviceList undefined: the services are unknown
 */
function validatorsOf(
  serviceList: readonly Service[] | undefined,
  relays: readonly RelayValidator[],
  scans: readonly SeenScan[],
): readonly Validator[] {
  const services = serviceList ?? [];
  const scannedAt = new Set(scans.map(({ service }) => service.id));
  const validatedBy = new Set(scans.map((scan) => scan.validatedBy));
  const postback = new Set(services.filter((one) => one.validationMethod === 'postback').map(({ id }) => id));
  return [
    ...services.flatMap(({ id, name, databaseId, validationMethod, duplicateScanValue }): Validator[] => {
      const checks = validationMethod === 'database' || validationMethod === 'ondevicedatabase';
      const once = checks && duplicateScanValue === '0' ? {} : undefined;
      const databaseIds = databaseId === undefined ? [] : [databaseId];
      const gate = { relay: false, id, name: name || id, databaseIds, serviceIds: [id], once };
      return scannedAt.has(id) ? [checks ? gate : { ...gate, receives: true }] : once && databaseId ? [gate] : [];
    }),
    ...relays.flatMap(
      ({ id, name, serviceIds, databaseIds, readings, once, prunedAdmissions, now, removed }): Validator[] => {
        // Where only self-validating services post to the relay, it just receives scans and decides nothing.
        const answersFor = serviceIds.filter((service) => postback.has(service));
        const decides = serviceIds.length === 0 || answersFor.length > 0 || validatedBy.has(id);
        // Whether only the services, which are unknown, could tell if this relay decided a deleted scan.
        const isUnsure = !decides && serviceList === undefined && prunedAdmissions !== undefined;
        const thrownAway = isUnsure ? {} : prunedAdmissions;
        return (databaseIds.length > 0 || validatedBy.has(id)) && (decides || isUnsure)
          ? [{ relay: true, id, name, databaseIds, serviceIds: answersFor, readings, once, thrownAway, now, removed }]
          : [];
      },
    ),
  ];
}
