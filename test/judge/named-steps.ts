/** The steps of named histories, as short as they are read. */
import { type Clock, type History, type Step, type Surface, texts } from './history.js';
import type { Limit } from './truth.js';
import { type ServiceSlot, serviceSlots } from './world.js';

export type Text = (typeof texts)[number];
export const textOf = (text: Text) => texts.indexOf(text);
export const gate = (text: Text, lateMinutes = 0, more: { clock?: Clock; scanId?: boolean } = {}): Step => ({
  ...{ do: 'gate', relay: 0, text: textOf(text), lateMinutes, clock: 'right', scanId: false },
  ...more,
});
export const forget = (scan: number, here = false): Step => ({ do: 'forget', here, scan });
export const wait = (minutes: number): Step => ({ do: 'wait', minutes });
export const ask = (surface: Surface, text: Text = '0007'): Step => ({ do: 'ask', surface, text: textOf(text) });
export const card = (text: Text): Step => ask('card', text);
/** Shares the first card or search that was shown. */
export const share = (surface: 'shareCard' | 'shareSearch'): Step => ask(surface, 'CASE-1');
/** The file of the first database. */
export const values: Step = ask('exportValues', 'CASE-1');
export const search = (text: Text): Step => ask('search', text);
export const scan = (service: ServiceSlot, text: Text, clock: Clock = 'right'): Step => ({
  ...{
    do: 'scan',
    service: serviceSlots.indexOf(service),
    text: textOf(text),
    lateMinutes: 0,
    clock,
  },
});
export const change = (kind: 'value' | 'race', text: Text, held: boolean | null, database = 0): Step =>
  kind === 'race'
    ? { do: kind, database, text: textOf(text), held }
    : { do: kind, here: false, database, text: textOf(text), held };
export const fails = (fault: Extract<Step, { do: 'fault' }>['fault'], minutes: number): Step => ({
  do: 'fault',
  fault,
  minutes,
});

/** One relay, which checks the first database, the one that ignores case. */
export const world = (
  limit: Limit,
  held: readonly Text[],
  steps: readonly Step[],
  databases: readonly number[] = [0],
  readings = false,
): History => ({
  chosen: true,
  relays: [{ databases, limit, unknown: 'reject', readings }],
  values: held.map((text) => ({ database: databases[0] ?? 0, text: textOf(text), held: true })),
  steps,
});
export const none: Limit = { kind: 'none' };
export const atMost = (n: number, of: 'value' | 'relay'): Limit => ({ kind: 'atMost', n, of, minutes: 60 });
export const duplicates: Limit = { kind: 'duplicates', minutes: 60 };

type ServiceStep = Extract<Step, { do: 'service' }>;

export const service = (
  change: ServiceStep['change'],
  of: ServiceSlot,
  { database, kind }: Pick<ServiceStep, 'database' | 'kind'>,
): Step => ({ do: 'service', change, service: serviceSlots.indexOf(of), database, kind });
export const mend: Step = { do: 'mend' };
export const edit = (shown: number, held: boolean): Step => ({ do: 'edit', card: shown, held });
export const nextDoor = (text: Text, held: boolean): Step => ({
  do: 'nextDoor',
  database: 0,
  text: textOf(text),
  held,
});
