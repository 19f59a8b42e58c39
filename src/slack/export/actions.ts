/** *Export* below search results, figures and a database's values, its form, files of what lists know, *Cancel*. */
import { z } from 'zod';
import type { ExportWhat, NewExport } from '../../exports/index.js';
import { countIn, ever } from '../../search/index.js';
import { message } from '../block-kit/elements.js';
import { bold, channelElement, type LinePart, richText, textElement, textMessage } from '../block-kit/text.js';
import { enterChannel } from '../bolt/channels.js';
import { SlackError } from '../bolt/errors.js';
import { loadingView } from '../bolt/problem/loading.js';
import { noticeView } from '../bolt/problem/notice.js';
import type { ActorContext, ViewContext } from '../bolt/routing/context.js';
import { action, modal } from '../bolt/routing/listeners.js';
import { listMetadata } from '../browse/metadata.js';
import { accountOf } from '../connection/account.js';
import { formStateIn } from '../forms/view-state.js';
import { outData } from '../lent/out-message.js';
import { listGone } from '../places/listed.js';
import { rollCallList } from '../places/roll-call.js';
import { rollCallMetadata } from '../places/roll-call-view.js';
import { queryLine } from '../scans/describe-query.js';
import { resultsData } from '../scans/results-message.js';
import { recordOf } from '../scans/run-search.js';
import { insideLine, rollCallLine, valuesLine } from './describe-export.js';
import {
  type ExportChoice,
  type ExportForm,
  exportCallback,
  exportMetadata,
  exportTitle,
  exportView,
  readExport,
} from './export-form.js';
import { cancelAction } from './export-message.js';

export const exportScans = action('export.scans', {
  role: 'everyone',
  data: resultsData,
  modalTitle: exportTitle,
  push: true,
  async run({ modal: window, data, ...context }) {
    const { query } = await recordOf(context, data.search);
    const metadata = { channel: context.actor.channelId, search: data.search };
    await window.show(exportView(metadata, queryLine(query)));
  },
});

export const exportValues = action('export.values', {
  role: 'everyone',
  metadata: listMetadata,
  modalTitle: exportTitle,
  // Slack stacks three modals at most.
  push: ({ metadata }) => metadata.below === undefined,
  async run({ modal: window, metadata: { channel, of } }) {
    if (of === undefined) {
      throw new SlackError('slack.state', 'values of no database');
    }
    const database = { id: of.id, name: of.name };
    await window.show(exportView({ channel, database }, valuesLine(of.name)));
  },
});

export const exportInside = action('export.inside', {
  role: 'everyone',
  data: z.string(),
  modalTitle: exportTitle,
  async run({ modal: window, data, ...context }) {
    const { name } = await listOf(context, data);
    await window.show(exportView({ channel: context.actor.channelId, list: data }, insideLine(name)));
  },
});

async function listOf({ deps, actor }: ActorContext, id = '') {
  const list = (await deps.places.lists(actor.owner)).find((each) => each.id === id);
  if (!list) {
    throw new SlackError('slack.state', 'figures of a list that was deleted');
  }
  return list;
}

export const exportSubmitted = modal(exportCallback, {
  role: 'everyone',
  metadata: exportMetadata,
  fields: ({ view }) => ({ show: loadingView(exportTitle, 'Starting…'), input: readExport(formStateIn(view)) }),
  async run(context, choice: ExportChoice) {
    const { actor, metadata, modal: window } = context;
    const subject = await subjectOf(context, metadata);
    const targetChannel = choice.to === 'channel' ? metadata.channel : actor.userId;
    const problem = choice.to === 'channel' ? await problemIn(context, targetChannel) : undefined;
    if (problem !== undefined || targetChannel === undefined) {
      await window.show(exportView(metadata, subject.line, choice, problem));
      return;
    }
    const { what, expected } = subject;
    if (!(await isStarted(context, { channel: targetChannel, what, mode: choice.mode, expected }))) {
      await window.show(exportView(metadata, subject.line, choice, tooMany));
      return;
    }
    const target =
      choice.to === 'channel' ? channelElement(targetChannel) : textElement('a direct message from Scandesk');
    const next = ['You’ll see how far it is, and then the file, in ', target, '.'];
    if (!(await window.showOutcome(noticeView('Export', startedText, next)))) {
      await context.postPrivately(message(startedText, [richText([bold(startedText)], next)]));
    }
  },
});

const startedText = 'Export started.';
const comes = 'The file comes in a direct message from Scandesk, and is deleted after 24 hours.';
const tooMany = 'Ten exports are under way in this workspace. Wait until one is done, or cancel one.';

async function isStarted({ deps, actor }: ActorContext, wish: Omit<NewExport, 'owner' | 'who'>): Promise<boolean> {
  const { owner, userId } = actor;
  return (await deps.exports.request({ owner, who: userId, ...wish })) !== 'too_many';
}

export const exportRollCall = action('export.roll_call', {
  role: 'everyone',
  metadata: rollCallMetadata,
  modalTitle: exportTitle,
  push: true,
  async run({ modal: window, metadata: { list: id }, ...context }) {
    const list = await rollCallList(context, id);
    await window.show(
      list ? exportView({ list: id, rollCall: true }, rollCallLine(list.name)) : noticeView(exportTitle, listGone),
    );
  },
});

export const exportOut = action('export.out', {
  role: 'everyone',
  data: outData,
  async run(context) {
    const { deps, actor, client, person, data } = context;
    const role = await deps.permissions.highestRole(client, actor);
    const what = { kind: 'out', text: data.text, zone: person.zone ?? 'Etc/UTC', role } as const;
    // The file names people: it goes to the person alone, and is deleted later.
    const wish = { channel: actor.userId, what, mode: 'xlsx', expected: undefined } as const;
    const isUnderWay = await isStarted(context, wish);
    await context.postPrivately(
      message(isUnderWay ? startedText : tooMany, [richText(isUnderWay ? `${startedText} ${comes}` : tooMany)]),
    );
  },
});

/** The reason why nothing is sent into the channel; undefined: the app is in it. */
async function problemIn({ client }: ViewContext, channel = ''): Promise<string | undefined> {
  const entered = await enterChannel(client, channel);
  if (entered.ok) {
    return undefined;
  }
  return entered.shared
    ? 'This channel is shared with another organization. Choose a direct message, and share the file yourself.'
    : entered.line;
}

interface Subject {
  readonly what: ExportWhat;
  readonly line: readonly LinePart[];
  readonly expected: number | undefined;
}

/** The subject of the export; for a search, with the span that its results show. */
async function subjectOf(context: ViewContext, { search, database, list: id, rollCall }: ExportForm): Promise<Subject> {
  const { deps, actor } = context;
  if (id !== undefined && rollCall) {
    const { name, settings } = (await rollCallList(context, id)) ?? (await listOf(context, id));
    const subject = {
      kind: 'roll_call',
      list: { id, name },
      zone: settings.zone,
      named: settings.name !== undefined,
    } as const;
    return { what: subject, line: rollCallLine(name), expected: undefined };
  }
  if (id !== undefined) {
    const { name, settings } = await listOf(context, id);
    const subject = { kind: 'inside', list: { id, name }, zone: settings.zone } as const;
    return { what: subject, line: insideLine(name), expected: undefined };
  }
  const account = await accountOf(deps, actor.owner);
  if (database) {
    const names = await account.names.cachedNames(['databases']);
    const states = await deps.mirror?.states(actor.owner);
    const expected = states?.find(({ databaseId }) => databaseId === database.id)?.size;
    const name = names('database', database.id) ?? database.name;
    return { what: { kind: 'values', database: { id: database.id, name } }, line: valuesLine(name), expected };
  }
  const { query, zone, answer } = await recordOf(context, search ?? '');
  const { span, totals, searchedTo } = answer;
  const exportedScans = { kind: 'scans', query, zone, from: span.from ?? ever.from, to: span.to ?? ever.to } as const;
  return { what: exportedScans, line: queryLine(query), expected: searchedTo ? undefined : countIn(totals) };
}

export const exportCancelled = action(cancelAction, {
  role: 'everyone',
  data: z.string(),
  async run({ deps, actor, client, data: id, postPrivately }) {
    const record = await deps.exports.find(actor.owner, id);
    if (record && record.who !== actor.userId && !(await deps.permissions.can(client, actor, 'manager'))) {
      throw new SlackError('slack.not_allowed', 'an export of another person', { why: 'not_manager' });
    }
    // The export’s message changes without the click's answer.
    if (!record || !(await deps.exports.cancel(record))) {
      await postPrivately(textMessage('This export has already ended, or its file is on its way.'));
    }
  },
});
