/** What the relay modals use besides the relays: status, device pages, test scans, service setups, previews. */
import {
  createPageAccess,
  createRelayStatus,
  createTestScanner,
  type PageAccess,
  type RelayStatus,
  type TestScanner,
} from '../../relay/index.js';
import type { SlackDeps } from '../bolt/routing/deps.js';
import { createRedraws, type Redraws } from '../forms/rerender.js';
import { createRecordedScans, type RecordedScans } from './form-preview.js';
import { createSetUps, type SetUps } from './setup/record-store.js';

declare module '../bolt/routing/context.js' {
  interface ListenerDeps {
    readonly relayRoom: RelayServices;
  }
}

export interface RelayServices {
  readonly insight: RelayStatus;
  readonly pages: PageAccess;
  readonly tests: TestScanner;
  readonly setUps: SetUps;
  readonly recorded: RecordedScans;
  readonly redraws: Redraws;
}

export function createRelayServices(
  deps: Pick<SlackDeps, 'config' | 'store' | 'clock' | 'random'> & Parameters<typeof createRelayStatus>[0],
): RelayServices {
  return {
    insight: createRelayStatus(deps),
    pages: createPageAccess(deps),
    tests: createTestScanner({ ...deps, publicUrl: deps.config.PUBLIC_URL }),
    setUps: createSetUps(deps),
    recorded: createRecordedScans(deps),
    redraws: createRedraws(),
  };
}
