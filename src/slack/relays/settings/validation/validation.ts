/** The form of a relay's validation, with a preview of the results that it would change. Rare fields are behind a button. */
import { z } from 'zod';
import { countOf } from '../../../../english.js';
import { type Relay, type RelaySettings, validationSchema } from '../../../../relay/index.js';
import { actions, type Block, button, divider } from '../../../block-kit/elements.js';
import { richText } from '../../../block-kit/text.js';
import { accountOf } from '../../../connection/account.js';
import type { DraftOf, ValuesOf } from '../../../forms/form.js';
import { heading, labelsOf } from '../../../forms/inputs.js';
import { FormProblem, type FormScope, moreAction, type Read } from '../../../forms/settings-form.js';
import type { FormState } from '../../../forms/view-state.js';
import { readLines, typedLines } from '../../../inputs/barcode-lines.js';
import { FileError, readText } from '../../../operations/files/files.js';
import { resourceOption } from '../../../operations/form/resources.js';
import { knownScans } from '../../preview.js';
import { chosenSpan, previewActions } from '../rules/preview-span.js';
import { relayOrigin, relaySettingsForm } from '../settings-form.js';
import { validationForm as form, mostListed } from './fields.js';
import { readingsOffer, validationPreviewBlocks } from './validation-preview.js';

const metadata = z.object({ ...relayOrigin, kept: z.boolean().optional() });

/** `kept`: the stored list does not fit the form, and stays if none is entered. */
export const validation = relaySettingsForm({
  id: 'relay.judging',
  title: 'Validation',
  audit: 'relay/judging',
  metadata,
  facts: ({ settings: { judging } }) => ({
    kept: (judging.kind === 'list' && typedLines(judging.values) === undefined) || undefined,
  }),
  form: () => form,
  source: async ({ settings }, _, context) => ({
    ...settings,
    databaseOption: await databaseOptions(context, settings),
    zone: context.person.zone,
  }),
  part: ({ judging, duplicates, atMost, hours, lateMinutes }) => [judging, duplicates, atMost, hours, lateMinutes],

  async draw(values, { context, subject: relay, keys, state, seenBlocks, read }) {
    const { judging } = relay.settings;
    const draft = { ...values, valueCount: judging.kind === 'list' ? judging.values.length : 0 };
    const preview = await previewOf(context, relay, draft, { state, read });
    const [readingsAt, lateAt] = [seenBlocks.indexOf(form.nameOf('readings')), seenBlocks.indexOf(form.nameOf('late'))];
    // Most relays need no equal readings: they are shown where they are on, or would change a result; then they stay.
    const isMain = readingsAt >= 0 ? lateAt < 0 || readingsAt < lateAt : draft.readings || preview.byReading > 0;
    return [
      ...form.draw(draft, 'kind'),
      richText('If the service already validated a scan, these settings don’t change the result.'),
      ...form.draw(draft, 'databases', 'unknown', ...(isMain ? (['readings'] as const) : [])),
      ...(draft.kind === 'database' ? [copyNote] : []),
      ...form.draw(draft, 'listed', 'values', 'file', 'folded', 'matching', 'pattern'),
      divider,
      ...form.draw(draft, 'again', 'again.minutes', 'limit', 'limit.n', 'limit.minutes', 'timed', 'hours'),
      ...(keys.more
        ? [
            ...[divider, heading('Advanced'), ...form.draw(draft, 'late')],
            ...form.draw(draft, ...(isMain ? [] : (['readings'] as const)), 'share', 'budget'),
          ]
        : [actions([button('Advanced…', moreAction)])]),
      divider,
      ...preview.blocks,
      previewActions(chosenSpan(state)),
    ];
  },

  check({ kind, values = [], file }, problem, { keys }) {
    if (kind !== 'list') {
      return;
    }
    if (values.length > 0 && file) {
      problem('file', 'Enter barcodes or upload a file, not both.');
    } else if (values.length === 0 && !file && !keys.kept) {
      problem('values', 'Enter at least one barcode, or upload a file.');
    }
  },

  stays: ({ file }) => file !== undefined,
  async prepare({ client, deps: { config, clock } }, { file, ...values }) {
    if (!file) {
      return values;
    }
    const listed = await readText({ client, config, clock }, file).then(readLines, (error: unknown) => {
      throw error instanceof FileError ? new FormProblem(error.message, 'file') : error;
    });
    if (listed.length === 0 || listed.length > mostListed) {
      throw new FormProblem(
        listed.length === 0
          ? 'That file contains no barcodes.'
          : `That file contains ${countOf(listed.length, 'barcode')}; the maximum is ${mostListed.toLocaleString('en-US')}. Use a database for a longer list.`,
        'file',
      );
    }
    return { ...values, values: listed, file };
  },
  change: changed,
  done: ({ file, values = [] }) =>
    file && `Saved, with ${countOf(values.length, 'barcode')} from the file. It applies from the next scan.`,
});

const fieldNames = Object.keys(form.fields) as (keyof typeof form.fields)[];
type Entered = ValuesOf<typeof form.fields>;

/** @throws FormProblem if the list to keep is gone */
function changed(before: RelaySettings, entered: Entered): RelaySettings {
  const { again, 'again.minutes': withinMinutes, values: typed = [], file: _, ...others } = entered;
  const isKept = entered.kind === 'list' && typed.length === 0;
  const values = isKept ? before.judging.kind === 'list' && before.judging.values : typed;
  if (!values) {
    throw new FormProblem('Not saved: the list to keep was deleted.', 'values');
  }
  const after = form.write(before, { ...others, values });
  const duplicates = again === 'ever' || again === 'within' ? { withinMinutes } : undefined;
  return { ...after, judging: validationSchema.parse(after.judging), duplicates };
}

/** The results that the entered settings would change; of a form just opened, only what equal readings would change. */
async function previewOf(
  context: FormScope,
  relay: Relay,
  draft: DraftOf<typeof form.fields>,
  { state, read }: { readonly state: FormState | undefined; readonly read: Read<Entered> | undefined },
): Promise<{ readonly blocks: readonly Block[]; readonly byReading: number }> {
  const notPreviewed = (why: string) => ({ blocks: [richText(why)], byReading: 0 });
  if (read && Object.keys(read.errors).length > 0) {
    const missing = labelsOf(form.draw(draft, ...fieldNames), read.errors);
    return notPreviewed(`Fill in ${missing} to preview which results would have been different.`);
  }
  if (read?.values.file) {
    return notPreviewed('A list in a file can’t be previewed before it is saved.');
  }
  const settings = read ? changed(relay.settings, read.values) : relay.settings;
  if (!read && settings.judging.kind !== 'database') {
    return { blocks: [], byReading: 0 };
  }
  const known = knownScans(context, relay, chosenSpan(state));
  const preview = await context.deps.relayStatus.previewValidation(relay, settings, known);
  const offer = readingsOffer(preview, known.read());
  return {
    blocks: read ? [...validationPreviewBlocks(preview, known.read(), settings), ...offer] : offer,
    byReading: preview.byReading,
  };
}

/** The names of databases are optional: an id without a name is shown as it is. */
async function databaseOptions({ deps, actor }: FormScope, { judging }: RelaySettings) {
  const databases =
    judging.kind === 'database'
      ? await accountOf(deps, actor.owner)
          .then(({ names }) => names.databases())
          .catch(() => [])
      : [];
  return (id: string) => {
    const found = databases.find((database) => database.id === id);
    return found && resourceOption(found);
  };
}

const copyNote = richText(
  'Scandesk keeps a copy of these databases, so most scans need no API call. It searches the account only for barcodes that the copy doesn’t have.',
);
