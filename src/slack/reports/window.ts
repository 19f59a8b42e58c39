/** The window that creates or changes a daily report. */
import { mostReports, nextDue } from '../../reports/index.js';
import { momentAfter } from '../block-kit/text.js';
import { record } from '../bolt/audit.js';
import { isChannel } from '../bolt/channels.js';
import { savingView } from '../bolt/problem/loading.js';
import { type Listener, modal, opener } from '../bolt/routing/listeners.js';
import { enterFormChannel } from '../forms/form-channel.js';
import { FormProblem, redraws, settingsForm } from '../forms/settings-form.js';
import { reportFor } from '../relays/report-button.js';
import { formMetadata, nothingYetView, reportFields, reportForm, sharedMetadata } from './form.js';
import { reportData } from './list-view.js';
import { reportListModal, reportOf, subjectsOf } from './load-views.js';

const reportWindow = settingsForm({
  id: 'reports.form',
  title: ({ report }) => (report === undefined ? 'New report' : 'Edit report'),
  submit: ({ report }) => (report === undefined ? 'Create' : 'Save'),
  metadata: formMetadata,
  async load(context, { report: id }) {
    const report = id === undefined ? undefined : await reportOf(context, id);
    return { report, subjects: await subjectsOf(context, report) };
  },
  form: () => reportForm,
  async source({ report }, { about }, { deps, actor, person }) {
    const relay = about?.relay === undefined ? undefined : await deps.relays.get(actor.owner, about.relay);
    const { channelId } = actor;
    return {
      zone: person.zone ?? 'Etc/UTC',
      // The initial channel is no direct message, which has no reports, though Slack offers it.
      ...(isChannel(channelId) ? { channel: channelId } : {}),
      ...(relay ? { subject: { relay: relay.relay.id }, channel: relay.relay.channel } : {}),
      ...(about?.search === undefined ? {} : { subject: { search: about.search } }),
      ...report,
    };
  },
  draw: (draft, { subject, ...shown }) => reportFields(draft, { ...shown, subjects: subject.subjects }),
  stays: () => true,
  async save(context, { isAgreed, ...fields }) {
    const { deps, actor, metadata } = context;
    await enterFormChannel(context, fields.channel, { isAgreed });
    if (metadata.report === undefined && (await deps.reports.list(actor.owner)).length >= mostReports) {
      throw new FormProblem(`A workspace has at most ${mostReports} daily reports. Delete one first.`);
    }
    const before = metadata.report === undefined ? undefined : await reportOf(context, metadata.report);
    if (before) {
      await deps.reports.change(actor.owner, before, fields);
    }
    const id = before?.id ?? (await deps.reports.create(actor.owner, fields, actor.userId)).id;
    await record(context, { what: before ? 'report/change' : 'report/create', detail: { report: id, ...fields } });
    const done = ['Saved. ', momentAfter('Next report: ', nextDue(fields, deps.clock.now())), '.'];
    return { done, here: await reportListModal(context, { done }) };
  },
});

export const reportFormListeners: readonly Listener[] = [
  opener('reports.new', {
    role: 'manager',
    data: reportFor.optional().catch(undefined),
    modalTitle: 'New report',
    async view(context) {
      const { relays, searches } = await subjectsOf(context);
      return relays.length + searches.length === 0
        ? nothingYetView()
        : reportWindow.open(context, { about: context.data });
    },
  }),
  opener('reports.edit', {
    role: 'manager',
    data: reportData,
    modalTitle: 'Edit report',
    view: (context) => reportWindow.open(context, { report: context.data }),
  }),
  redraws(['reports.redraw'], [reportWindow]),
  reportWindow.submitted,
  // The agreement was a window of its own in older versions.
  modal('reports.shared', {
    role: 'manager',
    metadata: sharedMetadata,
    fields: ({ metadata: { fields } }) => ({
      show: savingView('Shared channel'),
      input: { values: { ...fields, isAgreed: true }, stays: true },
    }),
    run: reportWindow.save,
  }),
];
