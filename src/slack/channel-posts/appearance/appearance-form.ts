/** The modal in which people choose what posts look like in a channel, with a sample as it would be posted. Pure. */
import { z } from 'zod';
import { type Block, context, divider, type ModalView, modalView } from '../../block-kit/elements.js';
import { noticeBlocks } from '../../block-kit/notice.js';
import { encode, origin } from '../../bolt/metadata.js';
import { createForm, type DraftOf, fieldsOf, when } from '../../forms/form.js';
import { heading } from '../../forms/inputs.js';
import * as kinds from '../../forms/kinds.js';
import type { FormState } from '../../forms/view-state.js';
import { mostButtons, postActions } from '../blocks/post-actions.js';
import { relayPost } from '../blocks/relay-post.js';
import { type Appearance, defaultAppearance, type OptionalPart } from './appearance.js';
import { sampleNames, samplePost } from './sample-post.js';

export const appearanceTitle = 'Post appearance';

export const appearanceMetadata = z.object(origin);

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

export type AppearanceDraft = DraftOf<typeof appearanceForm.fields>;

export function appearanceView(
  draft: AppearanceDraft,
  { now, channel, done }: { readonly now: number; readonly channel: string | undefined; readonly done?: string },
): ModalView {
  return modalView(
    appearanceTitle,
    [
      ...noticeBlocks({ done }),
      ...appearanceForm.draw(draft, 'channel', 'look', 'buttons', 'shows'),
      divider,
      heading('Preview'),
      ...previewBlocks(appearanceIn(draft), now),
      divider,
      context('Applies to new posts, and to posts that change. Scans are received and answered as before.'),
    ],
    {
      callback_id: 'posts.appearance',
      submit: 'Save',
      private_metadata: encode(appearanceMetadata, { channel }),
    },
  );
}

/** The sample post with its buttons by name, since there is no post for them to work on. */
function previewBlocks(appearance: Appearance, now: number): Block[] {
  const blocks = relayPost(samplePost(now), sampleNames, appearance).blocks.filter(({ type }) => type !== 'actions');
  const buttons = [...labelsOf(appearance.buttons), '⋯'];
  return [...blocks, context(buttons.map((label) => `[ ${label} ]`).join('  '))];
}

export function readAppearance(
  state: FormState,
): { readonly errors: Record<string, string> } | { readonly channel: string; readonly appearance: Appearance } {
  const errors: Record<string, string> = {};
  const { channel } = appearanceForm.read(state, errors);
  return channel === undefined ? { errors } : { channel, appearance: appearanceIn(appearanceForm.entered(state)) };
}

/** The appearance in the form. Default buttons are not stored, so that a later version's default applies. */
function appearanceIn({ look = 'full', buttons, shows }: AppearanceDraft): Appearance {
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
