/** Click and submission handlers for the validation form. */

import type { ViewOutput } from '@slack/bolt';
import { countOf } from '../../../../english.js';
import type { RelaySettings } from '../../../../relay/index.js';
import { textElement } from '../../../block-kit/text.js';
import { savingView } from '../../../bolt/problem/loading.js';
import { noticeView } from '../../../bolt/problem/notice.js';
import type { BaseContext, ViewHandler } from '../../../bolt/routing/context.js';
import { accountOf } from '../../../connection/connection.js';
import { formStateIn } from '../../../forms/view-state.js';
import { FileError, readText } from '../../../operations/files/files.js';
import { resourceOption } from '../../../operations/form/resources.js';
import { relayModal, relayOf } from '../../load-views.js';
import { readLines } from '../barcode-lines.js';
import { EditConflictError, notSavedCanRetry, SettingsRejectedError } from '../edit-conflict.js';
import { type SettingsVersion, shownPart, versionOf } from '../etag.js';
import { expands, missingFields, pushing, refreshBelow, rerendering, saveAndShow } from '../flow.js';
import { type SettingMetadata, settingMetadata } from '../ids.js';
import { changeSettings } from '../save.js';
import { mostListed, type ValidationDraft, validationDraft, validationForm, validationView } from './form.js';
import { readValidation, type ValidationChange, withList } from './read-form.js';

type Scope = Pick<BaseContext, 'deps' | 'actor' | 'person'>;

async function storedDraft({ deps, actor, person }: Scope, settings: RelaySettings): Promise<ValidationDraft> {
  // Names are optional: an unresolved id is shown as it is.
  const databases =
    settings.judging.kind === 'database'
      ? await accountOf(deps, actor.owner)
          .then(({ names }) => names.databases())
          .catch(() => [])
      : [];
  return validationDraft({
    settings,
    databaseOption: (id) => {
      const found = databases.find((database) => database.id === id);
      return found && resourceOption(found);
    },
    zone: person.zone,
  });
}

async function validationModal(
  context: Scope,
  relay: string,
  how: {
    readonly view?: ViewOutput;
    readonly more?: boolean;
    readonly problem?: string;
    /** The version shown; defaults to the current one. */
    readonly seen?: string | undefined;
  } = {},
) {
  const { relay: found } = await relayOf(context, relay);
  const was = await storedDraft(context, found.settings);
  const draft = how.view ? { ...was, ...validationForm.entered(formStateIn(how.view), was) } : was;
  const more = how.more ?? false;
  return validationView(draft, {
    more,
    problem: how.problem,
    metadata: settingMetadata.write({
      channel: context.actor.channelId,
      relay,
      ...(more ? { more } : {}),
      ...(was.values === undefined ? { kept: true } : {}),
      seen: how.seen ?? versionOf(shownPart.judging(found.settings)),
    }),
  });
}

export const validationOpen = pushing('Validation', (context, relay) => validationModal(context, relay));

function validationRerendered(
  context: Scope,
  view: ViewOutput,
  how: { readonly expanded?: boolean; readonly problem?: string } = {},
) {
  const { relay, more, seen } = settingMetadata.read(view.private_metadata);
  const { expanded = false, ...shown } = how;
  return validationModal(context, relay, { view, more: more === true || expanded, seen, ...shown });
}

export const validationRerender = rerendering((context, view) =>
  validationRerendered(context, view, { expanded: expands(context) }),
);

interface Sent extends ValidationChange {
  readonly metadata: SettingMetadata;
}

export const validationSubmitted: ViewHandler<Sent> = {
  role: 'manager',

  fields({ view }) {
    const metadata = settingMetadata.read(view.private_metadata);
    const read = readValidation(formStateIn(view), metadata.kept === true);
    if ('errors' in read) {
      return read;
    }
    const input = { ...read.sent, metadata };
    // The file is parsed first: its errors are shown in the form.
    return read.sent.file ? { show: savingView('Validation'), input } : { close: 'this', input };
  },

  redraw: (context) => validationRerendered(context, context.view, { problem: missingFields }),

  async run(context, { change, file, metadata }) {
    const { relay, more = false, seen: version } = metadata;
    const seen: SettingsVersion = { part: shownPart.judging, version };
    if (!file) {
      return saveAndShow(context, relay, 'relay/judging', change, seen);
    }
    const { modal, view, client, deps } = context;
    const again = async (problem: string, on: { readonly seen?: string | undefined } = { seen: version }) => {
      await modal.show(await validationModal(context, relay, { view, more, problem, ...on }));
    };
    try {
      const values = readLines(await readText({ client, config: deps.config, clock: deps.clock }, file));
      if (values.length === 0 || values.length > mostListed) {
        return await again(
          values.length === 0
            ? 'That file contains no barcodes.'
            : `That file contains ${countOf(values.length, 'barcode')}; the maximum is ${mostListed.toLocaleString('en-US')}. Use a database for a longer list.`,
        );
      }
      await changeSettings(context, relay, 'relay/judging', withList(change, values), seen);
      await refreshBelow(context, view.previous_view_id, () => relayModal(context, relay, { done: 'Saved.' }));
      await modal.show(
        noticeView('Validation', `Saved, with ${countOf(values.length, 'barcode')} from the file.`, [
          textElement('It applies from the next scan.'),
        ]),
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
