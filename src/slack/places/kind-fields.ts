/** The fields of a list that depend on its kind: who has what until when; or names, and who sees who is inside. Pure. */
import { describeMinutes } from '../../english.js';
import { mostLentMinutes, type PlaceList, type PlaceSettings } from '../../places/index.js';
import type { Option } from '../block-kit/elements.js';
import { records } from '../conditions/inputs/kinds.js';
import { type AnyDraft, fieldsOf, type ValuesOf, when } from '../forms/form.js';
import * as kinds from '../forms/kinds.js';
import type { Errors } from '../forms/view-state.js';
import { idOption } from '../operations/form/resources.js';

export interface FormSource {
  readonly list?: Pick<PlaceList, 'name' | 'settings'> | undefined;
  readonly zone: string;
  readonly nameOf: (kind: 'service' | 'device' | 'question', id: string) => Option | undefined;
}

const field = fieldsOf<FormSource>();
const custodyOf = ({ list }: FormSource) => list?.settings.custody;
const isCustody = when('kind', 'custody');
export const isInside = (draft: AnyDraft) => !isCustody(draft);
/** The most services: the preview's metadata holds their ids. */
const mostServices = 10;
const mostPeople = 20;

const question = (idOf: (source: FormSource) => string | undefined, shown: (draft: AnyDraft) => boolean) =>
  field(
    kinds.picker({ action: 'relay.pick.question', placeholder: 'Find a question', missing: 'Choose a question.' }),
    {
      label: 'Question',
      shown,
      from(source) {
        const id = idOf(source);
        return id === undefined ? undefined : (source.nameOf('question', id) ?? idOption('question', id));
      },
    },
  );

const nameChoices = [
  ['answer', 'The answer to a question'],
  ['property', 'A property of the scan'],
  ['response', 'The response to the scan'],
] as const;
type NameFrom = (typeof nameChoices)[number][0] | 'none';

const nameOf = ({ list }: FormSource) => list?.settings.name;
const dueOf = (source: FormSource) => custodyOf(source)?.due;
const dueByTime = (source: FormSource) => {
  const due = dueOf(source);
  return due?.by === 'time' ? due : undefined;
};
const isTimed = (draft: AnyDraft) => isCustody(draft) && draft['due.by'] === 'time';

export const kindFields = {
  kind: field(
    kinds.radio<'inside' | 'custody'>([
      ['inside', 'Inside / outside', 'How many are inside now'],
      ['custody', 'Who has it', 'What is lent, to whom, until when'],
    ]),
    { label: 'What the list keeps', rerenders: true, from: (source) => (custodyOf(source) ? 'custody' : 'inside') },
  ),
  'name.by': field(kinds.select<NameFrom>([['none', 'The scan’s user, or no name'], ...nameChoices]), {
    label: ({ kind }) => (kind === 'custody' ? 'Who has it' : 'Names of who is inside'),
    hint: ({ kind }) =>
      kind === 'custody'
        ? 'Of the scan that took it out. A user who is linked to a Slack member is reminded in Slack.'
        : 'Without names, the roll call shows barcodes.',
    rerenders: true,
    from: (source) => nameOf(source)?.by ?? 'none',
  }),
  'name.question': question(
    (source) => {
      const name = nameOf(source);
      return name?.by === 'answer' ? name.question : undefined;
    },
    when('name.by', 'answer'),
  ),
  'name.property': field(kinds.text({ max: 100, missing: 'Enter a name.' }), {
    label: 'Name of the property',
    shown: when('name.by', 'property'),
    from(source) {
      const name = nameOf(source);
      return name?.by === 'property' ? name.name : '';
    },
  }),
  'due.by': field(
    kinds.select<'never' | 'time' | 'answer'>([
      ['time', 'Some time after it went out'],
      ['answer', 'At the date in an answer'],
      ['never', 'Never'],
    ]),
    { label: 'Due back', rerenders: true, shown: isCustody, from: (source) => dueOf(source)?.by ?? 'never' },
  ),
  'due.after': field(kinds.text({ max: 20, placeholder: '7 days' }), {
    label: 'How long after',
    hint: 'In minutes, hours, days or weeks.',
    shown: isTimed,
    from: (source) => describeMinutes(dueByTime(source)?.minutes ?? 7 * 24 * 60),
  }),
  'due.services': field(records('service', { min: 0, max: mostServices }, { optional: true }), {
    label: 'Services with another time',
    optional: true,
    shown: isTimed,
    from: (source) =>
      Object.keys(dueByTime(source)?.services ?? {}).map(
        (id) => source.nameOf('service', id) ?? idOption('service', id),
      ),
  }),
  'due.other': field(kinds.text({ max: 20, placeholder: '4 hours' }), {
    label: 'How long after, with these services',
    optional: true,
    shown: isTimed,
    from(source) {
      const [minutes] = Object.values(dueByTime(source)?.services ?? {});
      return minutes === undefined ? '' : describeMinutes(minutes);
    },
  }),
  'due.question': question(
    (source) => {
      const due = dueOf(source);
      return due?.by === 'answer' ? due.question : undefined;
    },
    (draft) => isCustody(draft) && draft['due.by'] === 'answer',
  ),
  channel: field(kinds.channel({ missing: 'Choose a channel.', orCurrent: true }), {
    label: 'Channel for overdue things',
    hint: 'What is overdue for a day is posted here, and at once what nobody in Slack has.',
    shown: isCustody,
    from: (source) => custodyOf(source)?.channel,
  }),
  'quiet.from': field(kinds.time(), {
    label: 'No reminders from',
    optional: true,
    shown: isCustody,
    from: (source) => custodyOf(source)?.quiet?.from ?? '',
  }),
  'quiet.to': field(kinds.time(), {
    label: 'No reminders until',
    optional: true,
    shown: isCustody,
    from: (source) => custodyOf(source)?.quiet?.to ?? '',
  }),
  others: field(
    kinds.radio<'managers' | 'everyone'>([
      ['managers', 'People with access', 'Others see what they have themselves'],
      ['everyone', 'Everyone in the workspace'],
    ]),
    {
      label: 'Who sees what others have',
      shown: isCustody,
      from: (source) => custodyOf(source)?.others ?? 'managers',
    },
  ),
  rollCall: field(kinds.users({ max: mostPeople }), {
    label: 'Who can see who is inside',
    hint: 'Besides workspace admins.',
    optional: true,
    shown: isInside,
    from: ({ list }) => list?.settings.rollCall ?? [],
  }),
} as const;

type KindValues = ValuesOf<typeof kindFields>;

const unitMinutes = { minute: 1, hour: 60, day: 24 * 60, week: 7 * 24 * 60 } as const;

/** A typed time as minutes: `7 days`, `90 minutes`; undefined for any other text, or too long a time. */
function minutesIn(text = ''): number | undefined {
  const [, count, unit] = /^(\d{1,6}) ?(minute|hour|day|week)s?$/i.exec(text.trim()) ?? [];
  const minutes = Number(count) * unitMinutes[(unit ?? 'day').toLowerCase() as keyof typeof unitMinutes];
  return minutes >= 1 && minutes <= mostLentMinutes ? minutes : undefined;
}

const noTime = 'Enter a time of a year at most, as 4 hours or 7 days.';

/** Reads the settings of the kind, with errors by field. */
export function readKind(
  values: KindValues,
  nameIn: (field: keyof typeof kindFields) => string,
  errors: Errors,
): Pick<PlaceSettings, 'name' | 'custody' | 'rollCall'> {
  const { kind, channel = '', others = 'managers', rollCall = [] } = values;
  const nameSource = nameIs(values);
  const namePart = nameSource ? { name: nameSource } : {};
  if (kind !== 'custody') {
    return { ...namePart, ...(rollCall.length > 0 ? { rollCall: [...rollCall] } : {}) };
  }
  const [from, to] = [values['quiet.from'] ?? '', values['quiet.to'] ?? ''];
  if ((from === '') !== (to === '')) {
    errors[nameIn(from === '' ? 'quiet.from' : 'quiet.to')] = 'Choose both times, or none.';
  }
  const quiet = from === '' || to === '' ? {} : { quiet: { from, to } };
  const due = dueIn(values, nameIn, errors);
  return { ...namePart, custody: { ...(due ? { due } : {}), channel, ...quiet, others } };
}

function nameIs(values: KindValues): PlaceSettings['name'] {
  switch (values['name.by']) {
    case 'answer':
      return { by: 'answer', question: values['name.question'] ?? '' };
    case 'property':
      return { by: 'property', name: (values['name.property'] ?? '').trim() };
    case 'response':
      return { by: 'response' };
    default:
      return undefined;
  }
}

type Due = NonNullable<PlaceSettings['custody']>['due'];

function dueIn(values: KindValues, nameIn: (field: keyof typeof kindFields) => string, errors: Errors): Due {
  if (values['due.by'] === 'answer') {
    return { by: 'answer', question: values['due.question'] ?? '' };
  }
  if (values['due.by'] !== 'time') {
    return undefined;
  }
  const services = values['due.services'] ?? [];
  const minutes = minutesIn(values['due.after']);
  const otherMinutes = minutesIn(values['due.other']);
  if (minutes === undefined) errors[nameIn('due.after')] = noTime;
  if (services.length > 0 && otherMinutes === undefined) errors[nameIn('due.other')] = noTime;
  const others = otherMinutes === undefined ? [] : services.map((id) => [id, otherMinutes] as const);
  return { by: 'time', minutes: minutes ?? 1, services: Object.fromEntries(others) };
}
