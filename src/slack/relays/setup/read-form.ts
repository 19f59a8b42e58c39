/** Reads the service setup form: which service, and how to set it up. Pure. */
import type { Option } from '../../block-kit/elements.js';
import type { Errors, FormState } from '../../forms/view-state.js';

export const serviceParts = {
  mode: 'service.mode',
  service: 'service.id',
  answers: 'service.answers',
  posts: 'service.posts',
  symbologies: 'service.symbologies',
  name: 'service.name',
  users: 'service.users',
  pages: 'service.pages',
} as const;
const parts = serviceParts;

export type SetupMode = 'there' | 'direct';

/** The form, once it is valid. */
export type SetupRequest =
  | {
      readonly mode: 'there';
      readonly serviceId: string;
      readonly symbologies: readonly string[];
      /** For services that validate scans themselves; undefined if the form did not ask. */
      readonly own?:
        | { readonly receiverOnly: boolean; readonly realTime: boolean; readonly uploaded: boolean }
        | undefined;
    }
  | {
      readonly mode: 'direct';
      readonly name: string;
      readonly symbologies: readonly string[];
      readonly users: readonly Option[];
      readonly pages: boolean;
    };

/** The form's values, valid or not; fields that it lacks are left out. */
export interface ServiceDraft {
  readonly mode: SetupMode;
  readonly serviceId?: string | undefined;
  readonly symbologies: readonly string[];
  readonly own?: Extract<SetupRequest, { mode: 'there' }>['own'];
  readonly name?: string;
  readonly users?: readonly Option[];
  readonly pages?: boolean;
}

export function serviceDraft(entered: FormState): ServiceDraft {
  return {
    mode: modeIn(entered),
    serviceId: entered.choice(parts.service),
    symbologies: entered.choices(parts.symbologies),
    own: ownIn(entered),
    ...(entered.has(parts.name) ? { name: entered.text(parts.name) } : {}),
    ...(entered.has(parts.users) ? { users: entered.options(parts.users) } : {}),
    ...(entered.has(parts.pages) ? { pages: entered.ticked(parts.pages) } : {}),
  };
}

function ownIn(entered: FormState): ServiceDraft['own'] {
  const posts = entered.choices(parts.posts);
  return entered.has(parts.answers)
    ? {
        receiverOnly: entered.choice(parts.answers) === 'service',
        realTime: posts.includes('real_time'),
        uploaded: posts.includes('uploaded'),
      }
    : undefined;
}

function modeIn(entered: FormState): SetupMode {
  return entered.choice(parts.mode) === 'direct' ? 'direct' : 'there';
}

export function readService(entered: FormState): { readonly errors: Errors } | { readonly request: SetupRequest } {
  const chosen = entered.choices(parts.symbologies);
  if (modeIn(entered) === 'direct') {
    const name = entered.text(parts.name);
    return name.trim() === ''
      ? { errors: { [parts.name]: 'Enter a name.' } }
      : {
          request: {
            mode: 'direct',
            name,
            symbologies: chosen,
            users: entered.options(parts.users),
            pages: entered.ticked(parts.pages),
          },
        };
  }
  const serviceId = entered.choice(parts.service);
  if (serviceId === undefined) {
    return { errors: { [parts.service]: 'Choose a service.' } };
  }
  const posts = entered.choices(parts.posts);
  if (entered.has(parts.posts) && posts.length === 0) {
    return { errors: { [parts.posts]: 'Choose at least one.' } };
  }
  return {
    request: {
      mode: 'there',
      serviceId,
      symbologies: chosen,
      own: ownIn(entered),
    },
  };
}
