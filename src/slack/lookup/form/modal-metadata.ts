/** The metadata that the lookup form and the answers in its modal carry. */
import { z } from 'zod';
import { origin } from '../../bolt/metadata.js';

/** `place`: the stored response URL of the command that opened the form, through which an answer is shared. */
export const lookupModalMetadata = z.object({ ...origin, place: z.string().optional() });

export type LookupModalMetadata = z.output<typeof lookupModalMetadata>;

/** The metadata of the clicked modal, which may be another feature's. */
export function lookupMetadataIn(privateMetadata: string | undefined): LookupModalMetadata {
  try {
    return lookupModalMetadata.parse(JSON.parse(privateMetadata ?? ''));
  } catch {
    return {};
  }
}
