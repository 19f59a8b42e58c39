/** The places feature: lists that count who is inside, and lists of who has what. */
import type { Feature } from '../bolt/routing/feature.js';
import { placesActions } from './actions.js';
import { boardActions } from './board-actions.js';
import { formActions } from './form-actions.js';
import { insideCommand } from './inside-command.js';
import { previewActions } from './preview-actions.js';
import { rollCallActions } from './roll-call.js';

export { listedPlaces } from './listed.js';

export const places: Feature = {
  commands: { '/scandesk': [insideCommand] },
  listeners: [...placesActions, ...formActions, ...previewActions, ...boardActions, ...rollCallActions],
};
