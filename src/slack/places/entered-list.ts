/** The values entered in the form of a list: read as settings with errors by field, and kept while their preview shows. */
import { z } from 'zod';
import { mostPercent, mostThresholds, type PlaceSettings, placeSettings } from '../../places/index.js';
import type { Condition } from '../../relay/index.js';
import { recordStore } from '../../workspaces/record-store.js';
import type { Errors, FormState } from '../forms/view-state.js';
import { exampleThresholds, placesForm, placesMetadata, type Side } from './form.js';
import { readKind } from './kind-fields.js';

/** The values of a form whose preview is shown: they are longer than a window's metadata may be. */
const entered = z.object({ name: z.string(), settings: placeSettings, board: z.string().optional() });
export type EnteredList = z.output<typeof entered>;
export const enteredRecords = recordStore('place-entered', entered);

/** The preview's metadata. Windows of older versions hold the form's values themselves, in place of `entered`. */
export const previewMetadata = placesMetadata.extend({
  ...entered.pick({ name: true, settings: true }).partial().shape,
  /** Whether people of another organization read the channel of the list's alerts, or of overdue things. */
  shared: z.boolean().optional(),
});

/** The channel that a list posts in. */
export const channelOf = ({ alerts, custody }: PlaceSettings): string | undefined => (custody ?? alerts)?.channel;

type Entered = { readonly name?: string; readonly settings?: Partial<PlaceSettings> };

/** Reads the form; what is read is a list where there are no errors. `zone`: that of a list whose form does not show it. */
export function readPlaces(state: FormState, errors: Errors, zone?: string): EnteredList {
  const values = placesForm.read(state, errors);
  const conditions = (conditionsIn: Side): Condition[] => {
    const ids = (sourceKind: 'service' | 'device', list: readonly string[] = []): Condition[] =>
      list.length === 0 ? [] : [{ kind: 'from', what: sourceKind, ids: [...list] }];
    const answer = values[`${conditionsIn}.answer` as const] ?? '';
    const property = values[`${conditionsIn}.property` as const] ?? '';
    const [, key, comparedValue] = /^([^=]+)=(.+)$/.exec(property.trim()) ?? [];
    if (property.trim() !== '' && key === undefined) {
      errors[placesForm.nameOf(`${conditionsIn}.property`)] = 'Enter it as name=value.';
    }
    return [
      ...ids('service', values[`${conditionsIn}.services` as const]),
      ...ids('device', values[`${conditionsIn}.devices` as const]),
      ...(answer === '' ? [] : [{ kind: 'answer' as const, how: 'equals' as const, to: answer, exact: false }]),
      ...(key === undefined || comparedValue === undefined
        ? []
        : [{ kind: 'property' as const, name: key.trim(), how: 'equals' as const, to: comparedValue, exact: false }]),
    ];
  };
  const { list } = placesForm.write<{ readonly list?: Entered }>({}, values);
  const { name = '', settings: { zone: shownZone, ...entered } = {} } = list ?? {};
  const chosenZone = shownZone ?? (state.has(placesForm.nameOf('zone')) ? undefined : zone);
  const ofKind = readKind(values, entered.custody, (field) => placesForm.nameOf(field), errors);
  const settings = { refused: false, ...entered, in: conditions('in'), out: conditions('out'), devices: {}, ...ofKind };
  if (settings.in.length === 0) {
    errors[placesForm.nameOf('in.services')] =
      'Say which scans mean in: a service or a device, or, under More, an answer or a property.';
  }
  if (values.kind === 'custody' && settings.out.length === 0) {
    errors[placesForm.nameOf('out.services')] =
      'Say which scans lend a thing: a service or a device, or, under More, an answer or a property.';
  }
  if (settings.in.length > 0 && JSON.stringify(settings.in) === JSON.stringify(settings.out)) {
    errors[placesForm.nameOf('out.services')] = 'The same scans can’t mean both in and out.';
  }
  if (chosenZone === undefined) {
    errors[placesForm.nameOf('zone')] = 'Choose a time zone.';
  }
  const { hour, capacity, percents: percentText = '', doubles: minutes, alerts: channel } = values;
  const percents = [...new Set(percentText.split(/[\s,;%]+/).filter(Boolean))].map(Number);
  const isPercent = (each: number) => Number.isInteger(each) && each >= 1 && each <= mostPercent;
  if (!percents.every(isPercent) || percents.length > mostThresholds) {
    errors[placesForm.nameOf('percents')] = `Enter at most ${mostThresholds} percents, as ${exampleThresholds}.`;
  }
  if (percents.length > 0 && capacity === undefined) {
    errors[placesForm.nameOf('capacity')] ??= 'Enter how many there is room for, or no percents.';
  }
  if (channel === undefined && (percents.length > 0 || minutes !== undefined)) {
    errors[placesForm.nameOf('alerts')] = 'Choose the channel in which alerts are posted.';
  }
  const timeSettings =
    minutes === undefined ? {} : { doubles: { since: 0, ...(minutes === 'any' ? {} : { minutes: Number(minutes) }) } };
  const alerts =
    channel === undefined || (percents.length === 0 && minutes === undefined)
      ? undefined
      : { channel, percents, ...timeSettings };
  const resetHour = hour === undefined || hour === 'never' ? {} : { hour: Number(hour.slice(0, 2)) };
  const { board } = values;
  const read = { ...settings, ...resetHour, alerts, zone: chosenZone };
  return {
    name,
    settings: Object.keys(errors).length > 0 ? (read as PlaceSettings) : placeSettings.parse(read),
    ...(board === undefined ? {} : { board }),
  };
}
