/** The form of a daily report: its subject, its channel, its time, and the day that it counts. Pure. */
import { z } from 'zod';
import type { Relay } from '../../relay/index.js';
import { type Report, type ReportDay, type ReportFields, reportFields as storedFields } from '../../reports/index.js';
import type { SavedSearch } from '../../search/index.js';
import { varyingBlock } from '../block-kit/block-names.js';
import { type Block, longestValue, modalView } from '../block-kit/elements.js';
import { shortName } from '../block-kit/short-text.js';
import { bold, richText } from '../block-kit/text.js';
import { relayName } from '../channel-posts/describe/describe-relay.js';
import { createForm, type DraftOf, fieldsOf } from '../forms/form.js';
import { agreementOf } from '../forms/form-channel.js';
import type { Choice } from '../forms/inputs.js';
import * as kinds from '../forms/kinds.js';
import { formOrigin } from '../forms/settings-form.js';
import type { Errors, FormState } from '../forms/view-state.js';
import { zone as zonePicker } from '../inputs/hours.js';
import { reportFor } from '../relays/report-button.js';
import { clockText } from './list-view.js';

/** `report`: the one being changed. `about`: what a new one was opened for. */
export const formMetadata = z.object({
  ...formOrigin,
  report: z.string().optional(),
  about: reportFor.optional().catch(undefined),
});
/** The metadata of the question about a shared channel, which was a window of its own in older versions. */
export const sharedMetadata = formMetadata.extend({ fields: storedFields });

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

const blankForm = formOf({ relays: [], searches: [] });
const agreement = agreementOf('report', 'reports.field');

/** `isAgreed`: the channel may be one that another organization reads. */
export type EnteredReport = ReportFields & { readonly isAgreed: boolean };

/** The form as it is read: each half of the day has its own default for the day that is counted. */
export const reportForm = {
  ...blankForm,
  entered(state: FormState, before: FormDraft): FormDraft {
    const draft = blankForm.entered(state, before);
    const isDrawnFor = varyingBlock(blankForm.nameOf('day'), isMorning(draft.time));
    return state.has(isDrawnFor) ? draft : { ...draft, day: dayOf(draft.time) };
  },
  read(state: FormState, errors: Errors): EnteredReport {
    const { subject, channel = '', time = '', zone = '', day = dayOf(time) } = blankForm.read(state, errors);
    const [, kind, id = ''] = /^(relay|search):(.+)$/.exec(subject ?? '') ?? [];
    const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)/.exec(time) ?? [];
    if (id === '') errors[blankForm.nameOf('subject')] = 'Choose a relay or a saved search.';
    if (hour === undefined) errors[blankForm.nameOf('time')] = 'Choose a time.';
    if (zone === '') errors[blankForm.nameOf('zone')] = 'Choose a time zone.';
    return {
      subject: kind === 'relay' ? { relay: id } : { search: id },
      channel,
      hour: Number(hour),
      minute: Number(minute),
      zone,
      day,
      isAgreed: agreement.isAgreed(state, channel),
    };
  },
};
type FormDraft = DraftOf<typeof blankForm.fields>;

export function reportFields(
  draft: FormDraft,
  { subjects, ...shown }: { readonly subjects: Subjects } & Parameters<typeof agreement.draw>[0],
): Block[] {
  const { draw } = formOf(subjects);
  return [
    ...draw(draft, 'subject', 'channel'),
    ...agreement.draw(shown, draft.channel ?? ''),
    ...draw(draft, 'time', 'zone', 'day'),
  ];
}

/** The view in place of the form where there is nothing to count. */
export const nothingYetView = () => modalView('New report', [nothingYet], { callback_id: 'reports.none' });

const nothingYet = richText(
  [bold('There is nothing to report on yet.')],
  'Create a relay with /scandesk relay, or save a search below the results of /scans.',
);
