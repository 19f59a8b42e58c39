/** A feature: what one folder adds to Slack. Its `index.ts` exports one. */
import type { Subcommand } from './commands.js';
import type { Listener } from './listeners.js';

export interface Feature {
  /** The feature's subcommands, by the command they belong to. */
  readonly commands?: Readonly<Partial<Record<'/barcode' | '/scandesk', readonly Subcommand[]>>>;
  readonly listeners: readonly Listener[];
}
