/** The fields of a list that depend on its kind: who has what until when, or who sees the names of who is inside. Pure. */
import { describeMinutes } from '../../english.js';
import { mostLentMinutes, type PlaceList, type PlaceSettings } from '../../places/index.js';
import type { Option } from '../block-kit/elements.js';
import { type AnyDraft, fieldsOf, type Kind, type ValuesOf, when } from '../forms/form.js';
import * as kinds from '../forms/kinds.js';
import { valueAt } from '../forms/path.js';
import type { Errors } from '../forms/view-state.js';
import { idOption } from '../operations/form/resources.js';

export interface FormSource {
  readonly list?: Pick<PlaceList, 'name' | 'settings'> | undefined;
  readonly board?: string | undefined;
  /** The kind that a new list begins with. */
  readonly kind?: 'custody' | undefined;
  readonly zone: string;
  readonly nameOf: (kind: 'service' | 'device' | 'question', id: string) => Option | undefined;
}

const field = fieldsOf<FormSource>();
const isCustody = when('kind', 'custody');
export const isInside = (draft: AnyDraft) => !isCustody(draft);
const mostPeople = 20;

export const trimmed = (kind: Kind<string>): Kind<string> => ({
  ...kind,
  read: (state, name, errors) => kind.read(state, name, errors)?.trim(),
});

const question = (
  path: 'list.settings.name.question' | 'list.settings.custody.due.question',
  isShown: (draft: AnyDraft) => boolean,
) =>
  field(
    kinds.picker({ action: 'relay.pick.question', placeholder: 'Find a question', missing: 'Choose a question.' }),
    {
      label: 'Question',
      shown: isShown,
      path,
      from(source) {
        const id = valueAt(source, path) as string | undefined;
        return id === undefined ? undefined : (source.nameOf('question', id) ?? idOption('question', id));
      },
    },
  );

const unitMinutes = { minute: 1, hour: 60, day: 24 * 60, week: 7 * 24 * 60 } as const;
const noTime = 'Enter a time of a year at most, as 4 hours or 7 days.';

/** A typed time as minutes: `7 days`, `90 minutes`; undefined for any other text, or too long a time. */
function minutesIn(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6}) ?(minute|hour|day|week)s?$/i.exec(text.trim()) ?? [];
  const minutes = Number(count) * unitMinutes[(unit ?? 'day').toLowerCase() as keyof typeof unitMinutes];
  return minutes >= 1 && minutes <= mostLentMinutes ? minutes : undefined;
}

const time: Kind<string, number> = {
  ...kinds.text({ max: 20, placeholder: '7 days' }),
  content: describeMinutes,
  read(state, name, errors) {
    const minutes = minutesIn(state.text(name));
    if (minutes === undefined) errors[name] = noTime;
    return minutes;
  },
};

const isTimed = (draft: AnyDraft) => isCustody(draft) && draft['due.by'] === 'time';

export const kindFields = {
  kind: field(
    kinds.radio<'inside' | 'custody'>([
      ['inside', 'Inside / outside', 'How many are inside now'],
      ['custody', 'Who has it', 'What is lent, to whom, until when'],
    ]),
    {
      label: 'What the list keeps',
      rerenders: true,
      from: ({ list, kind }) => (list?.settings.custody ? 'custody' : ((list ? undefined : kind) ?? 'inside')),
    },
  ),
  'name.by': field(
    kinds.select<'none' | NonNullable<PlaceSettings['name']>['by']>(
      [
        ['none', 'The scan’s user, or no name'],
        ['answer', 'The answer to a question'],
        ['property', 'A property of the scan'],
        ['response', 'The response to the scan'],
      ],
      { none: 'none' },
    ),
    {
      label: ({ kind }) => (kind === 'custody' ? 'Who has it' : 'Names of who is inside'),
      hint: ({ kind }) =>
        kind === 'custody'
          ? 'Of the scan that took it out. A user who is linked to a Slack member is reminded in Slack.'
          : 'Without names, the roll call shows barcodes.',
      rerenders: true,
      collapsible: true,
      path: 'list.settings.name.by',
      initial: 'none',
    },
  ),
  'name.question': question('list.settings.name.question', when('name.by', 'answer')),
  'name.property': field(trimmed(kinds.text({ max: 100, missing: 'Enter a name.' })), {
    label: 'Name of the property',
    shown: when('name.by', 'property'),
    path: 'list.settings.name.name',
  }),
  'due.by': field(
    kinds.select<'never' | 'time' | 'answer'>(
      [
        ['time', 'Some time after it went out'],
        ['answer', 'At the date in an answer'],
        ['never', 'Never'],
      ],
      { none: 'never' },
    ),
    { label: 'Due back', rerenders: true, shown: isCustody, path: 'list.settings.custody.due.by', initial: 'never' },
  ),
  'due.after': field(time, {
    label: 'How long after',
    hint: 'In minutes, hours, days or weeks.',
    shown: isTimed,
    path: 'list.settings.custody.due.minutes',
    initial: '7 days',
  }),
  'due.question': question(
    'list.settings.custody.due.question',
    (draft) => isCustody(draft) && draft['due.by'] === 'answer',
  ),
  channel: field(kinds.channel({ missing: 'Choose a channel.', orCurrent: true }), {
    label: 'Channel for overdue things',
    hint: 'Posts things that are overdue by a day. A thing whose holder is not in Slack is posted as soon as it is overdue.',
    shown: isCustody,
    path: 'list.settings.custody.channel',
  }),
  before: field(
    kinds.select<string>(
      [
        ['none', 'No reminder'],
        ['60', 'An hour before'],
        ['1440', 'A day before'],
        ['2880', '2 days before'],
        ['10080', 'A week before'],
      ],
      { none: 'none' },
    ),
    {
      label: 'Reminder before a thing is due',
      shown: isCustody,
      collapsible: true,
      from: ({ list }) => String(list?.settings.custody?.before?.minutes ?? 'none'),
    },
  ),
  daily: field(kinds.checkbox('Remind once a day while a thing is overdue'), {
    label: 'Reminders of overdue things',
    shown: isCustody,
    collapsible: true,
    path: 'list.settings.custody.daily',
    from: ({ list }) => list?.settings.custody === undefined || list.settings.custody.daily === true,
  }),
  'quiet.from': field(kinds.time(), {
    label: 'No reminders from',
    optional: true,
    shown: isCustody,
    collapsible: true,
    path: 'list.settings.custody.quiet.from',
  }),
  'quiet.to': field(kinds.time(), {
    label: 'No reminders until',
    optional: true,
    shown: isCustody,
    collapsible: true,
    path: 'list.settings.custody.quiet.to',
  }),
  others: field(
    kinds.radio<'managers' | 'everyone'>([
      ['managers', 'People with access', 'Others see what they have themselves'],
      ['everyone', 'Everyone in the workspace'],
    ]),
    {
      label: 'Who sees what others have',
      shown: isCustody,
      collapsible: true,
      path: 'list.settings.custody.others',
      initial: 'managers',
    },
  ),
  rollCall: field(kinds.users({ max: mostPeople }), {
    label: 'Who can see who is inside',
    hint: 'Besides workspace admins.',
    optional: true,
    shown: isInside,
    collapsible: true,
    from: ({ list }) => list?.settings.rollCall ?? [],
  }),
} as const;

/** The settings of the kind that no field holds by itself, with errors by field. `custody`: as the fields hold it. */
export function readKind(
  values: ValuesOf<typeof kindFields>,
  custody: PlaceSettings['custody'],
  nameIn: (field: keyof typeof kindFields) => string,
  errors: Errors,
): Pick<PlaceSettings, 'custody' | 'rollCall'> {
  const { rollCall = [] } = values;
  if (values.kind !== 'custody') {
    return rollCall.length > 0 ? { rollCall: [...rollCall] } : {};
  }
  const { 'quiet.from': from = '', 'quiet.to': to = '' } = values;
  if ((from === '') !== (to === '')) {
    errors[nameIn(from === '' ? 'quiet.from' : 'quiet.to')] = 'Choose both times, or none.';
  } else if (from !== '' && from === to) {
    errors[nameIn('quiet.to')] = 'Choose a time at which the quiet hours end: nobody would ever be reminded.';
  }
  const { before } = values;
  // A new list whose form does not show the choice reminds once a day.
  const daily = custody?.daily ?? true;
  return {
    custody: custody && {
      ...custody,
      daily,
      ...(before === undefined ? {} : { before: { minutes: Number(before), since: 0 } }),
    },
  };
}
