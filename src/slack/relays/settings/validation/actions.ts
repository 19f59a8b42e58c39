/** Listeners of the validation form. */
import type { ViewOutput } from '@slack/bolt';
import type { z } from 'zod';
import { countOf } from '../../../../english.js';
import type { RelaySettings } from '../../../../relay/index.js';
import type { Relay } from '../../../../relay/relays/types.js';
import type { Block } from '../../../block-kit/elements.js';
import { richText } from '../../../block-kit/text.js';
import { encode } from '../../../bolt/metadata.js';
import { savingView } from '../../../bolt/problem/loading.js';
import type { BaseContext } from '../../../bolt/routing/context.js';
import { modal } from '../../../bolt/routing/listeners.js';
import { refreshBelow } from '../../../bolt/routing/modal-below.js';
import { readLines } from '../../../conditions/inputs/barcode-lines.js';
import { accountOf } from '../../../connection/account.js';
import { type FormState, formStateIn } from '../../../forms/view-state.js';
import { FileError, readText } from '../../../operations/files/files.js';
import { resourceOption } from '../../../operations/form/resources.js';
import { relayModal, relayOf } from '../../load-views.js';
import {
  EditConflictError,
  notSavedCanRetry,
  SettingsRejectedError,
  type SettingsVersion,
  shownPart,
  versionOf,
} from '../etag.js';
import { expands, formRerender, missingFields, pushedModal, saveAndShow } from '../flow.js';
import { chosenSpan, spanOf } from '../rules/preview-span.js';
import { changeSettings } from '../save.js';
import {
  mostListed,
  type ValidationDraft,
  validationDraft,
  validationForm,
  validationMetadata,
  validationView,
} from './form.js';
import { readValidation, withList } from './read-form.js';
import { readingsOffer, validationPreviewBlocks } from './validation-preview.js';

type Scope = Pick<BaseContext, 'deps' | 'actor' | 'person'>;

async function storedDraft({ deps, actor, person }: Scope, settings: RelaySettings): Promise<ValidationDraft> {
  // The names of databases are optional: an id without a name is shown as it is.
  const databases =
    settings.judging.kind === 'database'
      ? await accountOf(deps, actor.owner)
          .then(({ names }) => names.databases())
          .catch(() => [])
      : [];
  return validationDraft({
    ...settings,
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
  options: {
    readonly view?: ViewOutput;
    readonly more?: boolean;
    readonly problem?: string;
    readonly done?: string;
    /** The version of the settings that the form was opened on; defaults to the current one. */
    readonly seen?: string | undefined;
  } = {},
) {
  const { relay: currentRelay } = await relayOf(context, relay);
  const saved = await storedDraft(context, currentRelay.settings);
  const draft = options.view ? { ...saved, ...validationForm.entered(formStateIn(options.view), saved) } : saved;
  const isUnfolded = options.more ?? false;
  const enteredState = options.view && formStateIn(options.view);
  const preview = await previewOf(context, currentRelay, enteredState, saved);
  return validationView(draft, {
    more: isUnfolded,
    span: chosenSpan(enteredState),
    preview: preview.blocks,
    readings: preview.byReading > 0 || enteredState?.has(validationForm.nameOf('readings')) === true,
    problem: options.problem,
    done: options.done,
    metadata: encode(validationMetadata, {
      channel: context.actor.channelId,
      relay,
      ...(isUnfolded ? { more: isUnfolded } : {}),
      ...(saved.values === undefined ? { kept: true } : {}),
      seen: options.seen ?? versionOf(shownPart.judging(currentRelay.settings)),
    }),
  });
}

interface DrawnPreview {
  readonly blocks: readonly Block[];
  /** How many scans equal readings would make valid. */
  readonly byReading: number;
}

/** The results that the entered settings would change; of a form just opened, only what equal readings would change. */
async function previewOf(
  { deps, person }: Scope,
  relay: Relay,
  enteredState: FormState | undefined,
  saved: ValidationDraft,
): Promise<DrawnPreview> {
  const read = enteredState && readValidation(enteredState, saved.values === undefined);
  if (read && 'errors' in read) {
    return notPreviewed('Fill in the form to preview which results would have been different.');
  }
  if (read?.sent.file) {
    return notPreviewed('A list in a file can’t be previewed before it is saved.');
  }
  const spanChoice = chosenSpan(enteredState);
  const previewedSpan = spanOf(spanChoice, deps.clock.now(), person.zone);
  try {
    const settings = read ? read.sent.change(relay.settings) : relay.settings;
    if (!read && settings.judging.kind !== 'database') {
      return { blocks: [], byReading: 0 };
    }
    const preview = await deps.relayStatus.previewValidation(relay, settings, previewedSpan);
    const offer = readingsOffer(preview, spanChoice);
    return {
      blocks: read ? [...validationPreviewBlocks(preview, spanChoice, settings), ...offer] : offer,
      byReading: preview.byReading,
    };
  } catch (error) {
    if (error instanceof SettingsRejectedError) {
      return notPreviewed('Fill in the form to preview which results would have been different.');
    }
    throw error;
  }
}

function notPreviewed(why: string): DrawnPreview {
  return { blocks: [richText(why)], byReading: 0 };
}

export const validationOpen = pushedModal('Validation', (context, relay) => validationModal(context, relay));

type Metadata = z.output<typeof validationMetadata>;

function validationRerendered(
  context: Scope,
  { relay, more, seen }: Metadata,
  view: ViewOutput,
  options: { readonly expanded?: boolean; readonly problem?: string } = {},
) {
  const { expanded = false, ...shown } = options;
  return validationModal(context, relay, { view, more: more === true || expanded, seen, ...shown });
}

export const validationRerender = formRerender(validationMetadata, (context, metadata, view) =>
  validationRerendered(context, metadata, view, { expanded: expands(context) }),
);

export const validationSubmitted = modal('relay.judging', {
  role: 'manager',
  metadata: validationMetadata,

  fields({ view, metadata }) {
    const read = readValidation(formStateIn(view), metadata.kept === true);
    if ('errors' in read) {
      return read;
    }
    const input = read.sent;
    // A file is parsed before the form closes, so that the form can show its errors.
    return input.file ? { show: savingView('Validation'), input } : { close: 'this', input };
  },

  redraw: (context) => validationRerendered(context, context.metadata, context.view, { problem: missingFields }),

  async run(context, { change, file }) {
    const { relay, more = false, seen: version } = context.metadata;
    const seenVersion: SettingsVersion = { part: shownPart.judging, version };
    if (!file) {
      await saveAndShow(context, relay, 'relay/judging', change, seenVersion);
      return;
    }
    const { modal: shownModal, view, client, deps } = context;
    const redraw = async (problem: string, on: { readonly seen?: string | undefined } = { seen: version }) => {
      await shownModal.show(await validationModal(context, relay, { view, more, problem, ...on }));
    };
    try {
      const values = readLines(await readText({ client, config: deps.config, clock: deps.clock }, file));
      if (values.length === 0 || values.length > mostListed) {
        return await redraw(
          values.length === 0
            ? 'That file contains no barcodes.'
            : `That file contains ${countOf(values.length, 'barcode')}; the maximum is ${mostListed.toLocaleString('en-US')}. Use a database for a longer list.`,
        );
      }
      await changeSettings(context, relay, 'relay/judging', withList(change, values), seenVersion);
      await refreshBelow(context, view.previous_view_id, () => relayModal(context, relay, { done: 'Saved.' }));
      const done = `Saved, with ${countOf(values.length, 'barcode')} from the file. It applies from the next scan.`;
      await shownModal.show(await validationModal(context, relay, { more, done }));
    } catch (error) {
      if (error instanceof FileError) {
        return redraw(error.message);
      }
      if (error instanceof SettingsRejectedError) {
        return redraw(notSavedCanRetry(error), error instanceof EditConflictError ? {} : undefined);
      }
      throw error;
    }
  },
});
