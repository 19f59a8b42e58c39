/** The places feature: lists that count who is inside. */
import type { Feature } from '../bolt/routing/feature.js';
import { placesActions } from './actions.js';
import { boardActions } from './board-actions.js';
import { insideCommand } from './inside-command.js';

export { listedPlaces } from './listed.js';

export const places: Feature = {
  commands: { '/scandesk': [insideCommand] },
  listeners: [...placesActions, ...boardActions],
};
