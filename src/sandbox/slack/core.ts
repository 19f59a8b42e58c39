/**
 * Owns what the parts of the workspace hand each other: one object, made in workspace.ts.
 */
import type { Clock, Random } from '../../clock.js';
import type { Log } from '../../log.js';
import type { Rules } from './api.js';
import type { Outbound } from './app/outbound.js';
import type { ResponseUrls } from './app/response-urls.js';
import type { Triggers } from './app/triggers.js';
import type { Manifest } from './manifest.js';
import type { Streams } from './stream.js';
import type { Views } from './views.js';
import type { Organisation } from './world/records.js';
import type { World } from './world/world.js';

export interface Core {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly world: World;
  readonly manifest: Manifest;
  readonly appId: string;
  /** The app is installed for all of it at once; none: in each team for itself. */
  readonly organisation?: Organisation;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Changed in place by POST /sandbox/rules. */
  readonly rules: Rules;
  readonly streams: Streams;
  readonly views: Views;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly outbound: Outbound;
  /** Where the workspace is reached, without a path. */
  readonly origin: () => string;
  /** Where the app is reached, once it has told us. */
  readonly appUrl: () => string | undefined;
}
