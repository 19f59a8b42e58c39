/** A message as Scandesk reads it: its text as Slack escapes it, and its files. */
import { z } from 'zod';

/** The fields that Scandesk reads of a message; files are described as Slack does, or by their id alone. */
export const spokenMessage = z.object({
  text: z.string().nullish().catch(undefined),
  ts: z.string(),
  thread_ts: z.string().optional(),
  files: z
    .array(z.looseObject({ id: z.string(), name: z.string().nullish(), mimetype: z.string().nullish() }))
    .nullish()
    .catch(undefined),
});

export type SpokenMessage = z.output<typeof spokenMessage>;
