/** What posts look like in a channel: whole or one line, their buttons, what they show. Kept until it is changed. */
import { z } from 'zod';
import type { Owner } from '../../../ownership.js';
import { recordStore } from '../../../workspaces/record-store.js';
import type { Store } from '../../../workspaces/types.js';

/** Parts of a scan's post that a channel can leave out. */
export const optionalParts = ['answers', 'properties'] as const;

const appearanceSchema = z.object({
  look: z.enum(['full', 'line']),
  /** Ids of the actions shown as buttons; if unset, the first ones that a post offers. */
  buttons: z.array(z.string()).optional(),
  shows: z.array(z.enum(optionalParts)),
});

export type Appearance = z.output<typeof appearanceSchema>;
export type OptionalPart = (typeof optionalParts)[number];

export const defaultAppearance: Appearance = { look: 'full', shows: [...optionalParts] };

/** The appearance of posts, by channel. */
export const appearances = recordStore('post-appearance', appearanceSchema, Number.POSITIVE_INFINITY);

export async function appearanceOf(
  deps: { readonly store: Pick<Store, 'keyv'> },
  owner: Owner,
  channel: string | undefined,
): Promise<Appearance> {
  const found = channel === undefined ? undefined : await appearances.find(deps, owner, channel);
  return found ?? defaultAppearance;
}
