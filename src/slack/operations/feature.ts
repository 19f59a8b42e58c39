/** The forms' handlers: what they add to Slack. */

import { SlackError } from '../bolt/errors.js';
import type { Action } from '../bolt/routing/context.js';
import type { Feature } from '../bolt/routing/feature.js';
import { confirmed } from './delete/confirmed.js';
import { thingChosen } from './form/choose.js';
import { pickOptions, zonePicker } from './form/options.js';
import { pickId } from './form/pick-input.js';
import { unfold } from './form/redraw.js';
import { listedKinds } from './form/resources.js';
import { formSubmitted } from './form/submit.js';
import { pageTurned } from './result/pages.js';
import type { Afterwards } from './types.js';

export const operationForms = (afterwards: Afterwards): Feature => ({
  actions: {
    'form.before': pageTurned,
    'form.next': pageTurned,
    'form.more': {
      role: 'everyone',
      async run({ deps, actor, reference, inside, action }) {
        if (!inside) {
          throw new SlackError('slack.state', `form button outside a modal: form.more`);
        }
        await unfold({ deps, actor, reference, modal: inside }, inside.view, groupIn(action));
      },
    },
  },
  views: {
    'form.choose': thingChosen,
    'form.read': formSubmitted('everyone', afterwards),
    'form.change': formSubmitted('manager', afterwards),
    'form.confirm': confirmed(afterwards),
  },
  options: {
    ...Object.fromEntries(listedKinds.map((kind) => [pickId(kind), pickOptions(kind)])),
    'form.pick.zone': zonePicker,
  },
});

function groupIn(action: Action): string {
  const value = 'value' in action ? String(action.value) : '';
  return value.slice('g.'.length);
}
