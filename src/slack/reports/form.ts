/** The form of a daily report: its subject, its channel, its time, and the day that it counts. Pure. */
import { z } from 'zod';
import type { Relay } from '../../relay/index.js';
import { type Report, type ReportDay, type ReportFields, reportFields } from '../../reports/index.js';
import type { SavedSearch } from '../../search/index.js';
import { longestValue, type ModalView, modalView } from '../block-kit/elements.js';
import { noticeBlocks } from '../block-kit/notice.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, richText } from '../block-kit/text.js';
import { encode, origin } from '../bolt/metadata.js';
import { relayName } from '../channel-posts/describe/describe-relay.js';
import { zone as zonePicker } from '../conditions/inputs/hours.js';
import { createForm, type DraftOf, fieldsOf } from '../forms/form.js';
import type { Choice } from '../forms/inputs.js';
import * as kinds from '../forms/kinds.js';
import type { Errors, FormState } from '../forms/view-state.js';
import { clockText } from './list-view.js';

/** `report`: the one being changed. `morning`: whether the form was drawn for a time before noon. */
export const formMetadata = z.object({ ...origin, report: z.string().optional(), morning: z.boolean().optional() });
export const sharedMetadata = z.object({ ...origin, report: z.string().optional(), fields: reportFields });

/** The relays and saved searches that a report can count. */
export interface Subjects {
  readonly relays: readonly Relay[];
  readonly searches: readonly SavedSearch[];
}

const mostOptions = 100;

function subjectGroups({ relays, searches }: Subjects): (readonly [string, readonly Choice[]])[] {
  const groups: (readonly [string, readonly Choice[]])[] = [
    ['Relays', relays.map((relay): Choice => [`relay:${relay.id}`, relayName(relay)])],
    ['Saved searches', searches.map(({ id, name }): Choice => [`search:${id}`, shortName(name, 75)])],
  ];
  return groups
    .map(
      ([heading, choices]) =>
        [heading, choices.filter(([value]) => value.length <= longestValue).slice(0, mostOptions)] as const,
    )
    .filter(([, choices]) => choices.length > 0);
}

const subjectText = (subject: Report['subject']) =>
  'relay' in subject ? `relay:${subject.relay}` : `search:${subject.search}`;

export type Draft = Partial<ReportFields>;
const field = fieldsOf<Draft>();
const isMorning = (time: unknown) => Number(String(time).slice(0, 2)) < 12;
const dayOf = (time: unknown): ReportDay => (isMorning(time) ? 'yesterday' : 'today');

function formOf(subjects: Subjects) {
  const groups = subjectGroups(subjects);
  return createForm(
    'report',
    { field: 'reports.field', rerender: 'reports.redraw' },
    {
      subject: field(kinds.groupedSelect(groups), {
        label: 'What to count',
        hint: 'The scans that a relay receives, or that a saved search finds. The day replaces the search’s own time.',
        from: ({ subject }) => (subject ? subjectText(subject) : undefined),
      }),
      channel: field(kinds.channel({ missing: 'Choose a channel.', orCurrent: true }), {
        label: 'Channel',
        hint: 'Scandesk joins public channels by itself. Invite it to a private channel first.',
        path: 'channel',
      }),
      time: field(kinds.time(), {
        label: 'Time',
        rerenders: true,
        from: ({ hour, minute }) => (hour === undefined ? '20:00' : clockText(hour, minute ?? 0)),
      }),
      zone: field(zonePicker, {
        label: 'Time zone',
        action: 'relay.pick.zone',
        path: 'zone',
      }),
      day: field(
        kinds.radio<ReportDay>([
          ['today', 'The day so far', 'Compared with the day before until the same time'],
          ['yesterday', 'The day before', 'A whole day, compared with the one before it'],
        ]),
        {
          label: 'Which day',
          // A report in the morning usually counts the day before: each half of the day has its own default.
          variesWith: ({ time }) => isMorning(time),
          from: ({ day, hour }) => day ?? dayOf(clockText(hour ?? 20, 0)),
        },
      ),
    },
  );
}

const form = formOf({ relays: [], searches: [] });
export type FormDraft = DraftOf<typeof form.fields>;

/** The form's content. `entered`: the values of the form that is drawn again. */
export function formDraft(
  givenDraft: Draft,
  entered?: { readonly state: FormState; readonly wasMorning: boolean },
): FormDraft {
  const initial = form.draft(givenDraft);
  if (!entered) {
    return initial;
  }
  const draft = form.entered(entered.state, initial);
  return isMorning(draft.time) === entered.wasMorning ? draft : { ...draft, day: dayOf(draft.time) };
}

export function reportFormView(options: {
  readonly subjects: Subjects;
  readonly draft: FormDraft;
  readonly report?: string | undefined;
  readonly channel?: string | undefined;
  readonly problem?: string | undefined;
}): ModalView {
  const { subjects, draft, report, channel, problem } = options;
  if (subjects.relays.length + subjects.searches.length === 0) {
    return modalView('New report', [nothingYet], { callback_id: 'reports.none' });
  }
  return modalView(
    report === undefined ? 'New report' : 'Edit report',
    [...noticeBlocks({ problem }), ...formOf(subjects).draw(draft, 'subject', 'channel', 'time', 'zone', 'day')],
    {
      callback_id: 'reports.form',
      submit: report === undefined ? 'Create' : 'Save',
      private_metadata: encode(formMetadata, { channel, report, morning: isMorning(draft.time) }),
    },
  );
}

const nothingYet = richText(
  [bold('There is nothing to report on yet.')],
  'Create a relay with /scandesk relay, or save a search below the results of /scans.',
);

export function readReport(state: FormState): { readonly errors: Errors } | { readonly fields: ReportFields } {
  const errors: Errors = {};
  const { subject, channel, time = '', zone, day } = form.read(state, errors);
  const [, kind, id] = /^(relay|search):(.+)$/.exec(subject ?? '') ?? [];
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)/.exec(time) ?? [];
  if (kind === undefined || id === undefined) errors[form.nameOf('subject')] = 'Choose a relay or a saved search.';
  if (hour === undefined) errors[form.nameOf('time')] = 'Choose a time.';
  if (zone === undefined) errors[form.nameOf('zone')] = 'Choose a time zone.';
  if (Object.keys(errors).length > 0 || id === undefined || channel === undefined || zone === undefined) {
    return { errors };
  }
  return {
    fields: {
      subject: kind === 'relay' ? { relay: id } : { search: id },
      ...{ channel, hour: Number(hour), minute: Number(minute), zone, day: day ?? dayOf(time) },
    },
  };
}
