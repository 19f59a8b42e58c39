/** The button that leads from a relay or a saved search to a daily report of it. */
import { z } from 'zod';
import { type Button, button } from '../block-kit/elements.js';
import { encode, longest } from '../bolt/metadata.js';

/** The subject of a new report, where it is known: the id of a relay or of a saved search. */
export const reportFor = z.object({ relay: z.string().optional(), search: z.string().optional() });

export function reportButton(subject: z.output<typeof reportFor>, fields: Pick<Button, 'accessibility_label'> = {}) {
  return button('Daily report…', 'reports.new', { value: encode(reportFor, subject, longest.button), ...fields });
}
