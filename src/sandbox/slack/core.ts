/** The shared dependencies of the workspace's parts: one object, created in workspace.ts. */
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
  /** The organization of an org-wide install; otherwise the app is installed in each team separately. */
  readonly organisation?: Organisation;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The present rules; POST /sandbox/rules changes this object. */
  readonly rules: Rules;
  readonly streams: Streams;
  readonly views: Views;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly outbound: Outbound;
  /** The workspace's address, without a path. */
  readonly origin: () => string;
  /** The app's address; undefined until it is known. */
  readonly appUrl: () => string | undefined;
}
