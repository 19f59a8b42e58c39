/**
 * Validators, which admit a barcode: services of the account and relays that check a database. The cached list of
 * services is read only where a service may have checked a scan, stored or deleted; what it says otherwise than before
 * is stored, so that a scan is what its service was.
 */
import type { Service } from '../codereadr/types.js';
import type { RelayValidator } from '../relay/index.js';
import { admitsOnce, checksDatabase, type ServiceState, scanWas } from '../scans/index.js';
import type { SeenScan } from '../scans/seen-scan.js';
import type { ListPart } from './account-lists.js';
import { isResult } from './checked-scans.js';
import type { Validator } from './types.js';

/** For how long a service that is gone may have taken admissions with it: the account deletes its scans. */
const goneMs = 24 * 60 * 60_000;

export interface Validators {
  readonly validators: readonly Validator[];
  readonly services: ListPart<Service> | undefined;
  /** The scans, each of the account with what its service was. */
  readonly scans: readonly SeenScan[];
}

export async function readValidators(
  scans: readonly SeenScan[],
  now: number,
  readRelays: () => Promise<readonly RelayValidator[]>,
  account: {
    /** Whether a service that was known, and is gone, may have admitted the barcode. */
    mayBeGone(): Promise<boolean>;
    services(): Promise<ListPart<Service>>;
    states(list?: { readonly services: readonly Service[]; readonly at: number }): Promise<readonly ServiceState[]>;
  },
): Promise<Validators> {
  const relays = await readRelays();
  const isChecked = scans.some((scan) => isResult(scan) || scan.status === 'other');
  const needsServices = isChecked || relays.some(({ prunedAdmissions }) => prunedAdmissions);
  if (!needsServices && !(await account.mayBeGone())) {
    return { validators: [], services: undefined, scans };
  }
  const services = await account.services();
  const list = services.list.ok ? services.list.value : undefined;
  const states = await account.states(list && { services: list, at: services.at });
  const gone = list ? goneServices(states, scans, now) : [];
  return {
    validators: [...validatorsOf(list, relays, scans), ...gone],
    services,
    scans: states.length === 0 ? scans : scans.map((scan) => ({ ...scan, was: scanWas(states, scan) })),
  };
}

/** The services that are gone: those that made one of the scans, or admitted once until a day ago. */
function goneServices(states: readonly ServiceState[], scans: readonly SeenScan[], now: number): Validator[] {
  return [...new Set(states.map(({ id }) => id))].flatMap((id): Validator[] => {
    const [was, last] = states.filter((state) => state.id === id).slice(-2);
    const scan = scans.find(({ service }) => service.id === id);
    if (!was || last?.method !== '') {
      return [];
    }
    // Its scans may be deleted with it: whether it admitted the barcode is unknown.
    const isForgotten = was.once && was.databaseId !== undefined && now - last.since < goneMs;
    const databaseIds = was.databaseId === undefined ? [] : [was.databaseId];
    const gate = { relay: false, id, name: scan?.service.name || id, databaseIds, serviceIds: [id], removed: true };
    return isForgotten ? [{ ...gate, thrownAway: {} }] : scan ? [gate] : [];
  });
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
    ...services.flatMap((service): Validator[] => {
      const { id, name, databaseId, validationMethod } = service;
      const once = admitsOnce(service) ? {} : undefined;
      const databaseIds = databaseId === undefined ? [] : [databaseId];
      const gate = { relay: false, id, name: name || id, databaseIds, serviceIds: [id], once };
      const isReceiver = !checksDatabase(validationMethod);
      return scannedAt.has(id) ? [isReceiver ? { ...gate, receives: true } : gate] : once && databaseId ? [gate] : [];
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
