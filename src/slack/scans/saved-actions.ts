/**
 * Saves searches by name, and lists, renames and deletes them. A channel’s search may be changed by the person who
 * saved it or a person with access; one of a person who left, by an admin.
 */
import { type SavedSearch, savedSearches } from '../../search/index.js';
import type { ViewNotice } from '../block-kit/notice.js';
import { record } from '../bolt/audit.js';
import { isChannel } from '../bolt/channels.js';
import { SlackError } from '../bolt/errors.js';
import { noticeView } from '../bolt/problem/notice.js';
import type { BaseContext } from '../bolt/routing/context.js';
import { action, modal, opener } from '../bolt/routing/listeners.js';
import { refreshBelow } from '../bolt/routing/modal-below.js';
import { formStateIn } from '../forms/view-state.js';
import { resultsData, resultsView } from './results-message.js';
import { pageAfter, recordOf } from './run-search.js';
import {
  readNaming,
  renameMetadata,
  renameTitle,
  renameView,
  savedView,
  saveMetadata,
  saveTitle,
  saveView,
} from './save-form.js';
import { savedData, savedListView, savedMetadata, savedTitle } from './saved-list.js';
import { searchRecords } from './search-record.js';

export const searchSave = action('scans.save', {
  role: 'everyone',
  data: resultsData,
  modalTitle: saveTitle,
  push: true,
  run: async (context) => {
    const { search } = context.data;
    const { query } = await recordOf(context, search);
    await context.modal.show(saveView(query, { channel: context.actor.channelId, search }));
  },
});

export const searchSaved = modal('scans.save', {
  role: 'everyone',
  metadata: saveMetadata,
  fields: ({ view }) => readNaming(formStateIn(view), saveTitle),
  async run(context, naming) {
    const { deps, actor, metadata, view } = context;
    const { name } = naming;
    const searchRecord = await recordOf(context, metadata.search);
    const channel = naming.list === 'channel' && isChannel(metadata.channel) ? metadata.channel : undefined;
    const search = { name, query: searchRecord.query, savedBy: actor.userId, channel };
    const outcome = await savedSearches.save(deps, actor.owner, search);
    if ('problem' in outcome) {
      await context.modal.show(saveView(searchRecord.query, metadata, { naming, problem: outcome.problem }));
      return;
    }
    await record(context, { what: 'search/save', detail: { search: name, channel } });
    await context.modal.showOutcome(savedView(outcome.saved));
    await searchRecords.save(deps, actor.owner, { ...searchRecord, saved: name }, metadata.search);
    await refreshBelow(context, view.previous_view_id, async () =>
      resultsView(await pageAfter(context, metadata.search, undefined)),
    );
  },
});

export const savedList = opener('scans.saved.list', {
  role: 'everyone',
  modalTitle: savedTitle,
  push: true,
  view: (context) => listModal(context),
});

async function listModal(context: Omit<BaseContext, 'person'>, notice: ViewNotice = {}) {
  const { deps, actor, client } = context;
  const { owner, userId, channelId: channel } = actor;
  const [saved, mayChange, isAdmin] = await Promise.all([
    savedSearches.list(deps, owner, actor),
    deps.permissions.can(client, actor, 'manager'),
    deps.permissions.can(client, actor, 'admin'),
  ]);
  const leftBehind = isAdmin ? await ofPeopleWhoLeft(context, await savedSearches.ofOthers(deps, owner, actor)) : [];
  return savedListView([...saved, ...leftBehind], { userId, mayChange, channel }, notice);
}

/** The most people about whom Slack is asked: it allows 100 calls a minute. */
const mostAsked = 50;

async function ofPeopleWhoLeft(
  { deps, actor, client }: Pick<BaseContext, 'deps' | 'actor' | 'client'>,
  saved: readonly SavedSearch[],
): Promise<readonly SavedSearch[]> {
  const people = [...new Set(saved.map(({ savedBy }) => savedBy))].slice(0, mostAsked);
  const gone = await deps.permissions.ineligible(client, actor.owner, people);
  const left = new Set(gone.filter(({ role }) => role === 'deactivated' || role === 'external').map(({ id }) => id));
  return saved.filter(({ savedBy }) => left.has(savedBy));
}

const goneNotice = { problem: 'This saved search was already deleted.' };

/** The saved search, if the person may change it. @throws SlackError `slack.not_allowed` */
async function changeable(context: BaseContext, id: string): Promise<SavedSearch | undefined> {
  const { deps, actor, client } = context;
  const savedSearch = await savedSearches.find(deps, actor.owner, id);
  if (savedSearch && savedSearch.savedBy !== actor.userId) {
    await deps.permissions.require(client, actor, savedSearch.channel === undefined ? 'admin' : 'manager');
    if (savedSearch.channel === undefined && (await ofPeopleWhoLeft(context, [savedSearch])).length === 0) {
      throw new SlackError('slack.state', 'a saved search of another person');
    }
  }
  return savedSearch;
}

export const savedRename = action('scans.saved.rename', {
  role: 'everyone',
  data: savedData,
  metadata: savedMetadata,
  modalTitle: renameTitle,
  push: true,
  run: async (context) => {
    const { data: saved, actor, inside } = context;
    const found = await changeable(context, saved);
    await (found
      ? context.modal.show(renameView(found, { channel: actor.channelId, saved }))
      : inside.show(await listModal(context, goneNotice)));
  },
});

export const savedRenamed = modal('scans.saved.rename', {
  role: 'everyone',
  metadata: renameMetadata,
  fields: ({ view }) => readNaming(formStateIn(view), renameTitle),
  async run(context, { name }) {
    const { deps, actor, metadata, view } = context;
    const { saved: id } = metadata;
    const savedSearch = await changeable(context, id);
    const problem = await savedSearches.rename(deps, actor.owner, { id, name });
    if (savedSearch && problem === 'taken') {
      await context.modal.show(renameView({ ...savedSearch, name }, metadata, problem));
      return;
    }
    if (savedSearch && !problem) {
      await record(context, { what: 'search/rename', detail: { search: name, former: savedSearch.name } });
    }
    const done = problem ? goneNotice.problem : `✅ Renamed to “${name}”.`;
    await context.modal.showOutcome(noticeView(renameTitle, done));
    await refreshBelow(context, view.previous_view_id, () => listModal(context));
  },
});

export const savedDelete = action('scans.saved.delete', {
  role: 'everyone',
  data: savedData,
  metadata: savedMetadata,
  run: async (context) => {
    const { deps, actor, data: id, inside } = context;
    const found = await changeable(context, id);
    if (found) {
      const { name, channel } = found;
      await savedSearches.remove(deps, actor.owner, id);
      await record(context, { what: 'search/delete', detail: { search: name, channel } });
    }
    await inside.show(await listModal(context, found ? { done: 'Deleted.' } : goneNotice));
  },
});
