/** The modal in which people choose what posts look like in a channel, with a sample as it would be posted. Pure. */
import { z } from 'zod';
import { type Block, context, divider } from '../../block-kit/elements.js';
import { createForm, fieldsOf, type ValuesOf, when } from '../../forms/form.js';
import { heading } from '../../forms/inputs.js';
import * as kinds from '../../forms/kinds.js';
import { formOrigin } from '../../forms/settings-form.js';
import { mostButtons, postActions } from '../blocks/post-actions.js';
import { relayPost } from '../blocks/relay-post.js';
import { type Appearance, defaultAppearance, type OptionalPart } from './appearance.js';
import { sampleNames, samplePost } from './sample-post.js';

/** `of`: the channel whose settings the form was opened on. */
export const appearanceMetadata = z.object({ ...formOrigin, of: z.string().optional() });

/** The data of a button that opens the form for a channel. */
export const appearanceData = z.object({ channel: z.string() });

interface AppearanceSource {
  readonly channel: string | undefined;
  readonly appearance: Appearance;
}

const buttonActions = postActions.filter(({ menuOnly }) => !menuOnly);
const firstButtons = buttonActions.slice(0, mostButtons).map(({ id }) => id);
const field = fieldsOf<AppearanceSource>();
/** The channel that the form belongs to: for another one the form starts anew, since its settings differ. */
const ofChannel = (draft: Readonly<Record<string, unknown>>) => draft.channel;

export const appearanceForm = createForm(
  'posts',
  { field: 'posts.field', rerender: 'posts.redraw' },
  {
    channel: field(kinds.channel({ missing: 'Choose a channel.' }), {
      label: 'Channel',
      rerenders: true,
      action: 'posts.channel',
      path: 'channel',
    }),
    look: field(
      kinds.radio<Appearance['look']>([
        ['full', 'Full', 'Result, barcode, place, time, answers and properties'],
        ['line', 'One line', 'Barcode, service and result; the rest is under Details'],
      ]),
      { label: 'Show each post as', rerenders: true, variesWith: ofChannel, path: 'appearance.look' },
    ),
    buttons: field(
      kinds.multiSelect(
        buttonActions.map(({ id, label }) => [id, label] as const),
        { placeholder: 'No buttons', max: mostButtons },
      ),
      {
        label: 'Buttons',
        hint: 'Two at most. Everything else is in the menu next to them.',
        optional: true,
        rerenders: true,
        variesWith: ofChannel,
        path: 'appearance.buttons',
        initial: firstButtons,
      },
    ),
    shows: field(
      kinds.checkboxes<OptionalPart>([
        ['answers', 'Answers to questions'],
        ['properties', 'Scan properties'],
      ]),
      {
        label: 'Also show',
        optional: true,
        rerenders: true,
        shown: when('look', 'full'),
        variesWith: ofChannel,
        path: 'appearance.shows',
      },
    ),
  },
);

type Entered = ValuesOf<typeof appearanceForm.fields>;

/** What is below the fields: the sample post. */
export function appearanceSample(entered: Entered, now: number): Block[] {
  return [
    divider,
    heading('Preview'),
    ...previewBlocks(appearanceIn(entered), now),
    divider,
    context('Applies to new posts, and to posts that change. Scans are received and answered as before.'),
  ];
}

/** The sample post with its buttons by name, since there is no post for them to work on. */
function previewBlocks(appearance: Appearance, now: number): Block[] {
  const blocks = relayPost(samplePost(now), sampleNames, appearance).blocks.filter(({ type }) => type !== 'actions');
  const buttons = [...labelsOf(appearance.buttons), '⋯'];
  return [...blocks, context(buttons.map((label) => `[ ${label} ]`).join('  '))];
}

/** The appearance in the form. Default buttons are not stored, so that a later version's default applies. */
export function appearanceIn({ look = 'full', buttons = [], shows = [] }: Entered): Appearance {
  const isDefault = buttons.length === firstButtons.length && firstButtons.every((id) => buttons.includes(id));
  return {
    look,
    shows: look === 'full' ? [...shows] : [...defaultAppearance.shows],
    ...(isDefault ? {} : { buttons: [...buttons] }),
  };
}

/** The appearance in words, for the audit log. */
export function describeAppearance({ look, buttons, shows }: Appearance): Readonly<Record<string, string>> {
  return {
    posts: look === 'line' ? 'one line' : 'full',
    buttons: labelsOf(buttons).join(', ') || 'none',
    ...(look === 'full' ? { 'also show': shows.join(', ') || 'nothing' } : {}),
  };
}

function labelsOf(buttons: readonly string[] = firstButtons): string[] {
  return buttons.flatMap((id) => buttonActions.find((each) => each.id === id)?.label ?? []);
}
