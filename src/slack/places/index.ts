/** The places feature: lists that count who is inside, and lists of who has what. */
import type { Feature } from '../bolt/routing/feature.js';
import { placesActions } from './actions.js';
import { boardActions } from './board-actions.js';
import { insideCommand } from './inside-command.js';
import { windowListeners } from './list-window.js';
import { rollCallActions } from './roll-call.js';
import { previewActions } from './save-list.js';

export { listedPlaces } from './listed.js';

export const places: Feature = {
  commands: { '/scandesk': [insideCommand] },
  listeners: [...placesActions, ...windowListeners, ...previewActions, ...boardActions, ...rollCallActions],
};
