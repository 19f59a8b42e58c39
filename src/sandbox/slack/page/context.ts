/**
 * The interfaces that renderers depend on. Renderers reach the workspace only through them, and so draw the same on the
 * page, in a modal and in a test.
 */
import type { Channel, Person } from '../api.js';
import type { FormState } from './form-state.js';
import type { Json } from './json.js';

/** The people and channels that one person may see, by which the ids in a text get their names. */
export interface Directory {
  readonly me: Person;
  readonly people: readonly Person[];
  readonly channels: readonly Channel[];
  /** The present time in milliseconds. */
  now(): number;
}

export interface UploadedFile {
  readonly id: string;
  readonly name: string;
  readonly [more: string]: unknown;
}

export interface OptionsAnswer {
  readonly options?: readonly Json[];
  readonly option_groups?: readonly Json[];
}

/** The message, modal or home tab that blocks are drawn in. */
export interface Surface {
  readonly kind: 'message' | 'modal' | 'home';
  readonly directory: Directory;
  readonly form: FormState;
  /** The surface's channel, the default of a conversations select. */
  readonly channel?: string;
  /** Sends a click or choice. Resolves when the app has acknowledged it. Whoever implements this shows failures. */
  act(blockId: string, actionId: string, chosen: Json): Promise<void>;
  /** Loads an external select's options for the typed text. */
  ask(blockId: string, actionId: string, typed: string): Promise<OptionsAnswer>;
  upload(file: File): Promise<UploadedFile>;
  /** Shows the app's confirmation dialog. */
  confirm(question: Json): Promise<boolean>;
}

export function personName(directory: Directory, id: string): string | undefined {
  const person = directory.people.find((one) => one.id === id);
  return person && (person.real_name || person.name);
}

export function channelName(directory: Directory, id: string): string | undefined {
  return directory.channels.find((one) => one.id === id)?.name;
}
