/** The forms' handlers: what they add to Slack. */

import { SlackError } from '../bolt/errors.js';
import { action, type Listener } from '../bolt/routing/listeners.js';
import { confirmSubmitted } from './delete/confirm-submit.js';
import { itemChosen } from './form/choose-item.js';
import { pickOptions, zonePicker } from './form/picker-options.js';
import { unfold } from './form/redraw.js';
import { listedKinds } from './form/resources.js';
import { formSubmitted } from './form/submit-form.js';
import { pageTurned } from './result/pages.js';
import type { Afterwards } from './types.js';

export const operationForms = (afterwards: Afterwards): readonly Listener[] => [
  pageTurned,
  unfoldGroup,
  itemChosen,
  formSubmitted('form.read', 'everyone', afterwards),
  formSubmitted('form.change', 'manager', afterwards),
  confirmSubmitted(afterwards),
  ...listedKinds.map(pickOptions),
  zonePicker,
];

/** Headings that forms opened before a rename carry in their buttons. */
const formerHeadings: Readonly<Record<string, string>> = {
  What: 'Barcode and result',
  When: 'Date and time',
  'Who and where': 'Service, device, and user',
  Order: 'Sorting',
  Look: 'Appearance',
};

const unfoldGroup = action('form.more', {
  role: 'everyone',
  async run({ deps, actor, reference, inside, action: { action_id: id, ...clicked } }) {
    if (!inside) {
      throw new SlackError('slack.state', `clicked outside a modal: ${id}`);
    }
    const heading = ('value' in clicked ? String(clicked.value) : '').slice('g.'.length);
    const group = formerHeadings[heading] ?? heading;
    await unfold({ deps, actor, reference, modal: inside }, inside.view, group);
  },
});
