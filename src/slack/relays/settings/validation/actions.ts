/** Click and submission handlers for the validation form. */
import type { ViewOutput } from '@slack/bolt';
import type { RelaySettings } from '../../../../relay/index.js';
import { textElement } from '../../../block-kit/text.js';
import { savingView } from '../../../bolt/problem/loading.js';
import { noticeView } from '../../../bolt/problem/notice.js';
import type { BaseContext, ViewHandler } from '../../../bolt/routing/context.js';
import { accountOf } from '../../../connection/connection.js';
import { FileError, readText } from '../../../operations/files/files.js';
import { thingOption } from '../../../operations/form/resources.js';
import { relayModal, relayOf } from '../../load-views.js';
import { EditConflictError, notSavedCanRetry, SettingsRejectedError } from '../edit-conflict.js';
import { type SettingsVersion, shownPart, versionOf } from '../etag.js';
import { expands, missingFields, pushing, refreshBelow, rerendering, saveAndShow } from '../flow.js';
import { type SettingNotes, settingNotes } from '../ids.js';
import { changeSettings } from '../save.js';
import { readLines } from '../values.js';
import { formStateIn } from '../view-state.js';
import { type JudgingDraft, judgingDraft, judgingEntered, mostListed } from './draft.js';
import { judgingView } from './form.js';
import { type JudgingSent, readJudging, withList } from './read-form.js';

type Asking = Pick<BaseContext, 'deps' | 'actor' | 'person'>;

async function draftOf({ deps, actor, person }: Asking, settings: RelaySettings): Promise<JudgingDraft> {
  // Names are optional: an unresolved id is shown as it is.
  const databases =
    settings.judging.kind === 'database'
      ? await accountOf(deps, actor.owner)
          .then(({ names }) => names.databases())
          .catch(() => [])
      : [];
  return judgingDraft(settings, {
    names: (id) => {
      const found = databases.find((database) => database.id === id);
      return found && thingOption(found);
    },
    zone: person.zone,
  });
}

async function judgingWindow(
  context: Asking,
  relay: string,
  how: {
    readonly view?: ViewOutput;
    readonly more?: boolean;
    readonly trouble?: string;
    /** The version shown; defaults to the current one. */
    readonly seen?: string | undefined;
  } = {},
) {
  const { relay: found } = await relayOf(context, relay);
  const was = await draftOf(context, found.settings);
  const draft = how.view ? judgingEntered(formStateIn(how.view), was) : was;
  const more = how.more ?? false;
  return judgingView(draft, {
    more,
    trouble: how.trouble,
    notes: settingNotes.write({
      channel: context.actor.channelId,
      relay,
      ...(more ? { more } : {}),
      ...(was.values === undefined ? { kept: true } : {}),
      seen: how.seen ?? versionOf(shownPart.judging(found.settings)),
    }),
  });
}

export const judgingOpen = pushing('Validation', (context, relay) => judgingWindow(context, relay));

function judgingRedrawn(
  context: Asking,
  view: ViewOutput,
  how: { readonly unfolded?: boolean; readonly trouble?: string } = {},
) {
  const { relay, more, seen } = settingNotes.read(view.private_metadata);
  const { unfolded = false, ...told } = how;
  return judgingWindow(context, relay, { view, more: more === true || unfolded, seen, ...told });
}

export const judgingRedraw = rerendering((context, view) =>
  judgingRedrawn(context, view, { unfolded: expands(context) }),
);

interface Sent extends JudgingSent {
  readonly notes: SettingNotes;
}

export const judgingSubmitted: ViewHandler<Sent> = {
  role: 'manager',

  acknowledge({ view }) {
    const notes = settingNotes.read(view.private_metadata);
    const read = readJudging(formStateIn(view), notes.kept === true);
    if ('errors' in read) {
      return read;
    }
    const input = { ...read.sent, notes };
    // The file is parsed first: its errors are shown in the form.
    return read.sent.file ? { show: savingView('Validation'), input } : { close: 'this', input };
  },

  redrawn: (context) => judgingRedrawn(context, context.view, { trouble: missingFields }),

  async run(context, { change, file, notes }) {
    const { relay, more = false, seen: version } = notes;
    const seen: SettingsVersion = { part: shownPart.judging, version };
    if (!file) {
      return saveAndShow(context, relay, 'relay/judging', change, seen);
    }
    const { modal, view, client, deps } = context;
    const again = async (trouble: string, on: { readonly seen?: string | undefined } = { seen: version }) => {
      await modal.show(await judgingWindow(context, relay, { view, more, trouble, ...on }));
    };
    try {
      const values = readLines(await readText({ client, config: deps.config, clock: deps.clock }, file));
      if (values.length === 0 || values.length > mostListed) {
        const count = values.length.toLocaleString('en-US');
        return await again(
          values.length === 0
            ? 'That file contains no barcodes.'
            : `That file contains ${count} barcodes; the maximum is ${mostListed.toLocaleString('en-US')}. Use a database for a longer list.`,
        );
      }
      await changeSettings(context, relay, 'relay/judging', withList(change, values), seen);
      const count = values.length.toLocaleString('en-US');
      await refreshBelow(context, view.previous_view_id, () => relayModal(context, relay, { done: 'Saved.' }));
      await modal.show(
        noticeView(
          'Validation',
          `Saved, with ${count} ${values.length === 1 ? 'barcode' : 'barcodes'} from the file.`,
          [textElement('It applies from the next scan.')],
        ),
      );
    } catch (error) {
      if (error instanceof FileError) {
        return again(error.message);
      }
      if (error instanceof SettingsRejectedError) {
        return again(notSavedCanRetry(error), error instanceof EditConflictError ? {} : undefined);
      }
      throw error;
    }
  },
};
