/** The feature of lent things: who has what, and the buttons of the message about an overdue thing. */
import type { Feature } from '../bolt/routing/feature.js';
import { loanActions } from './loan-actions.js';
import { outActions, outCommand } from './out-command.js';

export const lent: Feature = {
  commands: { '/scandesk': [outCommand] },
  listeners: [...loanActions, ...outActions],
};
