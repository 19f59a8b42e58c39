/** The form of a list: its kind, the scans that mean in and out, and when a new day begins. Pure. */
import { z } from 'zod';
import { longestPlaceName, mostCapacity } from '../../places/index.js';
import type { Condition } from '../../relay/index.js';
import { actions, type Block, button, context, divider } from '../block-kit/elements.js';
import { bold, richText } from '../block-kit/text.js';
import { createForm, type DraftOf, fieldsOf } from '../forms/form.js';
import * as kinds from '../forms/kinds.js';
import { formOrigin } from '../forms/settings-form.js';
import { zone } from '../inputs/hours.js';
import { records } from '../inputs/kinds.js';
import { idOption } from '../operations/form/resources.js';
import { zoneOption } from '../operations/form/zones.js';
import { type FormSource, isInside, kindFields, trimmed } from './kind-fields.js';

/**
 * The form's metadata. `list`: the id of the list being changed. `kind`: that with which a new one begins. `zone`: the
 * time zone of a list whose form does not show it. `entered`: the record of what was entered before a preview.
 */
export const placesMetadata = z.object({
  ...formOrigin,
  list: z.string().optional(),
  kind: z.literal('custody').optional(),
  zone: z.string().optional(),
  entered: z.string().optional(),
});
export type Side = 'in' | 'out';
const field = fieldsOf<FormSource>();
/** The most services, and the most devices, on a side: the preview's metadata holds their ids. */
const mostIds = 15;
const longestCompared = 100;

function conditionOf<K extends Condition['kind']>({ list }: FormSource, side: Side, kind: K, sourceKind?: string) {
  const conditions = list?.settings[side] ?? [];
  return conditions.find(
    (condition): condition is Extract<Condition, { kind: K }> =>
      condition.kind === kind &&
      (sourceKind === undefined || (condition.kind === 'from' && condition.what === sourceKind)),
  );
}

function sideFields(side: Side, word: string) {
  const ids = (kind: 'service' | 'device', label: string) =>
    field(records(kind, { min: 0, max: mostIds }, { optional: true }), {
      label,
      optional: true,
      from: (source) =>
        (conditionOf(source, side, 'from', kind)?.ids ?? []).map((id) => source.nameOf(kind, id) ?? idOption(kind, id)),
    });
  return {
    services: ids('service', `${word}: scans with these services`),
    devices: ids('device', `${word}: scans with these devices`),
    answer: field(kinds.text({ max: longestCompared }), {
      label: `${word}: scans with this answer`,
      hint: 'To any question, in any letter case.',
      optional: true,
      collapsible: true,
      from: (source) => conditionOf(source, side, 'answer')?.to ?? '',
    }),
    property: field(kinds.text({ max: longestCompared, placeholder: `direction=${side}` }), {
      label: `${word}: scans with this property`,
      hint: 'As name=value, in any letter case.',
      optional: true,
      collapsible: true,
      from(source) {
        const property = conditionOf(source, side, 'property');
        return property ? `${property.name}=${property.to}` : '';
      },
    }),
  };
}

const [enteringFields, leavingFields] = [sideFields('in', 'In'), sideFields('out', 'Out')];
/** The minutes within which a barcode that comes in at two devices is posted. */
const doubles = [
  ['off', 'Don’t look for them'],
  ['1', 'Within 1 minute'],
  ['5', 'Within 5 minutes'],
  ['15', 'Within 15 minutes'],
  ['60', 'Within 1 hour'],
  ['any', 'At any time: nobody may come back'],
] as const;
export const exampleThresholds = '80, 95, 100';

const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);

export const placesForm = createForm(
  'places',
  { field: 'places.field', rerender: 'places.redraw' },
  {
    ...kindFields,
    name: field(trimmed(kinds.text({ max: longestPlaceName, missing: 'Enter a name.', placeholder: 'Main hall' })), {
      label: 'Name',
      path: 'list.name',
    }),
    'in.services': enteringFields.services,
    'in.devices': enteringFields.devices,
    'in.answer': enteringFields.answer,
    'in.property': enteringFields.property,
    'out.services': leavingFields.services,
    'out.devices': leavingFields.devices,
    'out.answer': leavingFields.answer,
    'out.property': leavingFields.property,
    refused: field(kinds.checkbox('Count scans that were not valid, too'), {
      label: 'Which scans',
      collapsible: true,
      path: 'list.settings.refused',
    }),
    capacity: field(kinds.integer({ min: 1, max: mostCapacity }, { optional: true }), {
      shown: isInside,
      collapsible: true,
      label: 'Capacity',
      hint: 'How many there is room for.',
      optional: true,
      path: 'list.settings.capacity',
    }),
    percents: field(kinds.text({ max: 60, placeholder: exampleThresholds }), {
      shown: isInside,
      collapsible: true,
      label: 'Alerts at these percents of the capacity',
      hint: `One post each time so many are inside: ${exampleThresholds}.`,
      optional: true,
      from: ({ list }) => list?.settings.alerts?.percents.join(', ') ?? '',
    }),
    doubles: field(kinds.select<string>(doubles, { none: 'off' }), {
      shown: isInside,
      collapsible: true,
      label: 'Alerts of barcodes that come in at two devices',
      hint: 'With no scan out between them, also when a device uploads late.',
      from: ({ list }) => {
        const rule = list?.settings.alerts?.doubles;
        return rule === undefined ? 'off' : String(rule.minutes ?? 'any');
      },
    }),
    alerts: field(kinds.channel({}), {
      shown: isInside,
      collapsible: true,
      label: 'Channel for alerts',
      optional: true,
      path: 'list.settings.alerts.channel',
    }),
    hour: field(kinds.select<string>([...hours.map((each) => [each, each] as const), ['never', 'Only by hand']]), {
      label: 'A new day begins at',
      hint: 'Everyone counts as outside from then on.',
      shown: isInside,
      from: ({ list }) => (list === undefined ? '05:00' : (hours[list.settings.hour ?? -1] ?? 'never')),
    }),
    board: field(kinds.channel({}), {
      label: 'Show it in a channel',
      hint: 'One message there shows how many are inside, and changes as people come and go.',
      optional: true,
      shown: isInside,
      collapsible: true,
      from: ({ board }) => board,
    }),
    zone: field(zone, {
      label: 'Time zone',
      collapsible: true,
      action: 'relay.pick.zone',
      path: 'list.settings.zone',
      from: ({ list, zone: ownZone }) => zoneOption(list?.settings.zone ?? ownZone),
    }),
  },
);

type PlacesDraft = DraftOf<typeof placesForm.fields>;
type Name = keyof typeof placesForm.fields;

/** The groups of fields that most lists do without: *More* shows them, and each that holds something is shown. */
export function placesFields(
  draft: PlacesDraft,
  shown: {
    readonly more: boolean;
    readonly isNew: boolean;
    /** The content of a new list's form. */
    readonly blank: PlacesDraft;
    /** The blocks of the form so far: what was shown stays. */
    readonly seen: readonly string[];
  },
): Block[] {
  const { more, isNew, blank, seen } = shown;
  const isUsed = (name: Name) =>
    more || seen.includes(placesForm.nameOf(name)) || JSON.stringify(draft[name]) !== JSON.stringify(blank[name]);
  const draw = (...names: readonly Name[]) => placesForm.draw(draft, ...names);
  const rare = (...group: readonly Name[]) => (group.some(isUsed) ? draw(...group) : []);
  const isLent = draft.kind === 'custody';
  const sideOf = (side: Side) => [
    ...draw(`${side}.services`, `${side}.devices`),
    ...rare(`${side}.answer`, `${side}.property`),
  ];
  return [
    ...draw('name', 'kind'),
    richText(
      [bold('In')],
      isLent
        ? 'Each is optional, but fill in at least one. A scan that meets all you fill in brings its thing back.'
        : 'Each is optional, but fill in at least one. A scan that meets all you fill in takes its barcode in.',
    ),
    ...sideOf('in'),
    divider,
    richText(
      [bold('Out')],
      isLent
        ? 'Each is optional, but fill in at least one. A scan that meets all you fill in lends its thing.'
        : 'Leave all of it blank where nobody scans on the way out.',
    ),
    ...sideOf('out'),
    divider,
    ...draw('due.by', 'due.after', 'due.question', 'channel', 'hour', ...(isNew ? (['board'] as const) : [])),
    ...(more ? [divider] : []),
    ...rare('name.by', 'name.question', 'name.property'),
    ...rare('before', 'daily', 'quiet.from', 'quiet.to'),
    ...(['others', 'rollCall', 'refused', 'zone'] as const).flatMap((name) => rare(name)),
    ...rare('capacity', 'percents', 'doubles', 'alerts'),
    ...(more ? [] : [context(moreText(isLent)), actions([button('More', 'places.more')], 'places.more')]),
  ];
}

const moreText = (isLent: boolean) =>
  isLent
    ? 'In and out by an answer or a property, who has a thing, reminders, who sees it, time zone.'
    : 'In and out by an answer or a property, capacity, alerts, names, who sees them, time zone.';
