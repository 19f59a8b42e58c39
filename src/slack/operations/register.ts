/** Owns the list of everything Slack can tell of the forms. */

import { SlackRoomError } from '../bolt/errors.js';
import type { Action } from '../bolt/routing/context.js';
import type { Registry } from '../bolt/routing/router.js';
import { confirmed } from './delete/confirmed.js';
import { thingChosen } from './form/choose.js';
import { pickOptions, zonePicker } from './form/options.js';
import { pickId } from './form/pick-input.js';
import { unfold } from './form/redraw.js';
import { listedKinds } from './form/resources.js';
import { formSubmitted } from './form/submit.js';
import { formActions, formBlocks, formCallbacks } from './metadata.js';
import { pageTurned } from './result/pages.js';
import type { Afterwards } from './types.js';

export function registerForms(registry: Registry, afterwards: Afterwards): void {
  registry.view(formCallbacks.choose, thingChosen);
  registry.view(formCallbacks.read, formSubmitted('everyone', afterwards));
  registry.view(formCallbacks.change, formSubmitted('manager', afterwards));
  registry.view(formCallbacks.confirm, confirmed(afterwards));
  registry.action(formActions.before, pageTurned);
  registry.action(formActions.next, pageTurned);
  registry.action(formActions.more, {
    who: 'everyone',
    async run({ deps, asker, reference, inside, action }) {
      if (!inside) {
        throw new SlackRoomError('slack.state', 'a click on a form came from no window');
      }
      await unfold({ deps, asker, reference, window: inside }, inside.view, groupIn(action));
    },
  });
  for (const kind of listedKinds) {
    registry.options(pickId(kind), pickOptions(kind));
  }
  registry.options(formActions.zone, zonePicker);
}

function groupIn(action: Action): string {
  const value = 'value' in action ? String(action.value) : '';
  return value.slice(formBlocks.more.length);
}
