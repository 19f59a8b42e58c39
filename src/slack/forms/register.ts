/** Owns the list of everything Slack can tell of the forms. */
import type { Action } from '../context.js';
import { SlackRoomError } from '../errors.js';
import type { Registry } from '../registry.js';
import { thingChosen } from './choose.js';
import { confirmed } from './confirmed.js';
import { formActions, formBlocks, formCallbacks } from './notes.js';
import { pickOptions, zonePicker } from './options.js';
import { pageTurned } from './pages.js';
import { pickId } from './pick-input.js';
import { unfold } from './redraw.js';
import { formSubmitted } from './submit.js';
import { listedKinds } from './things.js';
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
