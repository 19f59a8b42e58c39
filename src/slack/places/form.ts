/** The form of a list: its kind, the scans that mean in and out, and when a new day begins. Pure. */
import { z } from 'zod';
import { longestPlaceName, mostCapacity } from '../../places/index.js';
import type { Condition } from '../../relay/index.js';
import { actions, button, context, divider, type ModalView, modalView } from '../block-kit/elements.js';
import { noticeBlocks } from '../block-kit/notice.js';
import { bold, richText } from '../block-kit/text.js';
import { encode, origin } from '../bolt/metadata.js';
import { zone } from '../inputs/hours.js';
import { records } from '../inputs/kinds.js';
import { createForm, type DraftOf, fieldsOf } from '../forms/form.js';
import * as kinds from '../forms/kinds.js';
import { idOption } from '../operations/form/resources.js';
import { zoneOption } from '../operations/form/zones.js';
import { type FormSource, isInside, kindFields, trimmed } from './kind-fields.js';

/**
 * The form's metadata. `list`: the id of the list being changed. `more`: whether all fields are shown. `zone`: the time
 * zone of a list whose form does not show it.
 */
export const placesMetadata = z.object({
  ...origin,
  list: z.string().optional(),
  more: z.boolean().optional(),
  zone: z.string().optional(),
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

export type PlacesDraft = DraftOf<typeof placesForm.fields>;

/** The fields that a new list does without: *More* shows them. A list that is edited shows all. */
const moreOf = (side: Side) => [`${side}.answer`, `${side}.property`] as const;

export function placesFormView(
  draft: PlacesDraft,
  metadata: z.output<typeof placesMetadata>,
  problem?: string,
): ModalView {
  const { draw } = placesForm;
  const isNew = metadata.list === undefined;
  const showsMore = !isNew || metadata.more === true;
  const isLent = draft.kind === 'custody';
  const sideOf = (side: Side) => [
    ...draw(draft, `${side}.services`, `${side}.devices`),
    ...(showsMore ? draw(draft, ...moreOf(side)) : []),
  ];
  return modalView(
    isNew ? 'New list' : 'Edit list',
    [
      ...noticeBlocks({ problem }),
      ...draw(draft, 'name', 'kind'),
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
      ...draw(draft, 'due.by', 'due.after', 'due.question', 'channel', 'hour', ...(isNew ? (['board'] as const) : [])),
      ...(showsMore
        ? [
            divider,
            ...draw(
              draft,
              'name.by',
              'name.question',
              'name.property',
              'before',
              'daily',
              'quiet.from',
              'quiet.to',
              'others',
              'rollCall',
            ),
            ...draw(draft, 'refused', 'zone', 'capacity', 'percents', 'doubles', 'alerts'),
          ]
        : [context(moreText(isLent)), actions([button('More', 'places.more')], 'places.more')]),
    ],
    { callback_id: 'places.form', submit: 'Preview', private_metadata: encode(placesMetadata, metadata) },
  );
}

const moreText = (isLent: boolean) =>
  isLent
    ? 'In and out by an answer or a property, who has a thing, reminders, who sees it, time zone.'
    : 'In and out by an answer or a property, capacity, alerts, names, who sees them, time zone.';
