/**
 * What a renderer may know and do. Renderers get everything through this, so that they draw the same in the workspace, in
 * a test and in a modal, and touch neither the network nor each other.
 */
import type { Channel, Person } from '../api.js';
import type { FormState } from './form-state.js';
import type { Json } from './json.js';

/** Who and what the ids in a text stand for, and through whose eyes it is read. */
export interface Directory {
  readonly me: Person;
  readonly people: readonly Person[];
  readonly channels: readonly Channel[];
  /** Milliseconds. */
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

/** The message, modal or home tab that blocks are drawn for. */
export interface Surface {
  readonly kind: 'message' | 'modal' | 'home';
  readonly directory: Directory;
  readonly form: FormState;
  /** The channel the surface stands in, for a select that defaults to it. */
  readonly channel?: string;
  /** Tells the app of a click or choice. Ends when the app has acknowledged; failures are shown by whoever implements it. */
  act(blockId: string, actionId: string, chosen: Json): Promise<void>;
  /** What an external select offers for what has been typed. */
  ask(blockId: string, actionId: string, typed: string): Promise<OptionsAnswer>;
  upload(file: File): Promise<UploadedFile>;
  /** Asks the person with the app's own words. */
  confirm(question: Json): Promise<boolean>;
}

export function personName(directory: Directory, id: string): string | undefined {
  const person = directory.people.find((one) => one.id === id);
  return person && (person.real_name || person.name);
}

export function channelName(directory: Directory, id: string): string | undefined {
  return directory.channels.find((one) => one.id === id)?.name;
}
