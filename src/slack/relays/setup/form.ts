/** The service setup form: its fields, and the request that they make. Pure. */
import { symbologies } from '../../../codereadr/operations/symbologies.js';
import type { Relay, RelaySettings } from '../../../relay/index.js';
import type { Option } from '../../block-kit/elements.js';
import { shortName } from '../../block-kit/short-text.js';
import { type AnyDraft, createForm, type DraftOf, fieldsOf } from '../../forms/form.js';
import * as kinds from '../../forms/kinds.js';
import type { Errors, FormState } from '../../forms/view-state.js';
import { pickAction } from '../../inputs/kinds.js';

/** Whether a relay has nothing to return to a device: no validation, limits, hours, questions or responses. */
function listensOnly({ judging, duplicates, hours, atMost, questions, answers }: RelaySettings): boolean {
  return (
    judging.kind === 'accept' &&
    !duplicates &&
    !hours &&
    !atMost &&
    questions.length === 0 &&
    Object.keys(answers).length === 0
  );
}

export const typesReset =
  'The account resets this setting with every change and does not report it. If you limited the types, choose them again.';

const field = fieldsOf<Relay>();

const isDirect = (draft: AnyDraft) => draft.mode === 'direct';
const isExisting = (draft: AnyDraft) => !isDirect(draft);

export const setupForm = createForm(
  'service',
  { field: 'relay.service.field', rerender: 'relay.service.redraw' },
  {
    mode: field(
      kinds.radio<'there' | 'direct'>([
        ['there', 'Existing service', 'Its scans reach Scandesk through the account'],
        ['direct', 'New service for direct scans', 'Devices post to Scandesk; the account stores nothing'],
      ]),
      {
        label: 'Service type',
        rerenders: true,
        // Each mode has its own fields. If Slack kept another mode in a redrawn form, the fields would not fit it.
        variesWith: ({ mode }) => mode,
        initial: 'there',
      },
    ),
    id: field(
      kinds.picker({ action: 'relay.service.pick', placeholder: 'Find a service', missing: 'Choose a service.' }),
      {
        label: 'Service',
        rerenders: true,
        variesWith: ({ id }) => (id as Option | undefined)?.value ?? null,
        shown: isExisting,
      },
    ),
    answers: field(
      kinds.radio<'service' | 'relay'>([
        ['service', 'The service’s response', 'The relay only listens (receiver only)'],
        ['relay', 'The relay’s response', 'Devices wait for it'],
      ]),
      {
        label: 'Which response do devices show?',
        hint: (draft) =>
          draft.listensOnly
            ? 'This service validates scans itself; this relay does not.'
            : 'Both this service and this relay validate scans.',
        shown: isExisting,
        collapsible: true,
        from: ({ settings }) => (listensOnly(settings) ? 'service' : 'relay'),
      },
    ),
    posts: field(
      kinds.checkboxes<'real_time' | 'uploaded'>(
        [
          ['real_time', 'Online scans, in real time'],
          ['uploaded', 'Scans that are uploaded later'],
        ],
        { missing: 'Choose at least one.' },
      ),
      { label: 'Scans to send', shown: isExisting, collapsible: true, initial: ['real_time', 'uploaded'] },
    ),
    name: field(kinds.text({ missing: 'Enter a name.' }), {
      label: 'Name',
      hint: 'Shown on devices.',
      shown: isDirect,
      from: ({ serviceName }) => `${shortName(serviceName, 80)} (direct)`,
    }),
    users: field(kinds.multiPicker({ action: pickAction('user'), placeholder: 'Find users' }, { max: 100 }), {
      label: 'Users with access',
      hint: 'Users of the account who can use this service. You can add more later.',
      optional: true,
      shown: isDirect,
    }),
    pages: field(kinds.checkbox('Add device pages for recent scans and barcode lookup'), {
      label: 'Device pages',
      shown: isDirect,
      collapsible: true,
      initial: true,
    }),
    symbologies: field(kinds.multiSelect(symbologies, { placeholder: 'Default' }), {
      label: 'Barcode types',
      hint: (draft) => `${isDirect(draft) ? '' : `${typesReset} `}Leave blank for the account’s default.`,
      optional: true,
      collapsible: true,
    }),
  },
);

/** `listensOnly`: the relay has nothing to return to a device. `open`: settings that have a default can be changed. */
export type SetupDraft = DraftOf<typeof setupForm.fields> & { readonly listensOnly: boolean; readonly open: boolean };

/** The content that the form shows. `state`: the entered values, in a redrawn form. */
export function setupDraft(relay: Relay, state?: FormState, open = false): SetupDraft {
  const initial = setupForm.draft(relay);
  return {
    ...(state ? setupForm.entered(state, initial) : initial),
    listensOnly: listensOnly(relay.settings),
    open: open || (state?.has(setupForm.nameOf('symbologies')) ?? false),
  };
}

/** The setup that a valid form asks for. */
export type SetupRequest =
  | {
      readonly mode: 'there';
      readonly serviceId: string;
      readonly symbologies: readonly string[];
      /** For a service that validates scans itself; undefined if the form did not ask. */
      readonly postback?: ReturnType<typeof postbackOptionsOf> | undefined;
    }
  | {
      readonly mode: 'direct';
      readonly name: string;
      readonly symbologies: readonly string[];
      readonly users: readonly string[];
      readonly pages: boolean;
    };

export function readSetup(state: FormState): { readonly errors: Errors } | { readonly request: SetupRequest } {
  const errors: Errors = {};
  const { mode, id = '', answers, posts, symbologies = [], ...direct } = setupForm.read(state, errors);
  if (Object.keys(errors).length > 0) {
    return { errors };
  }
  if (mode === 'direct') {
    const { name = '', users = [], pages = true } = direct;
    return { request: { mode, name, symbologies, users, pages } };
  }
  const postback = posts && postbackOptionsOf({ answers, posts });
  return { request: { mode: 'there', serviceId: id, symbologies, postback } };
}

/** The default postback options of a service that validates scans itself. */
export function defaultPostbackOptions(relay: Relay) {
  return postbackOptionsOf(setupForm.draft(relay));
}

function postbackOptionsOf({ answers, posts }: Partial<Pick<SetupDraft, 'answers' | 'posts'>>) {
  return {
    receiverOnly: answers === 'service',
    realTime: posts?.includes('real_time') ?? false,
    uploaded: posts?.includes('uploaded') ?? false,
  };
}
