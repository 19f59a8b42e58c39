/**
 * Slack installations, tokens included: sealed as a whole, with the time of the installation beside them, so that an
 * event from before the installation is recognized.
 */
import { z } from 'zod';
import type { OpenKeyv } from '../database/keyv-store.js';
import { checkedId, readJson, readRecord } from '../database/stored-json.js';
import type { InstallationStore, SealContext, Sealer } from './types.js';

export const installationNamespace = 'installation';

export const installationShape = z.object({ installedAt: z.number(), sealed: z.string() });

export function createInstallations(deps: { keyv: OpenKeyv; sealer: Sealer }): InstallationStore {
  const { sealer } = deps;
  const records = deps.keyv<unknown>(installationNamespace);
  return {
    async save(installationId, installation, installedAt) {
      const sealed = sealer.seal(JSON.stringify(installation), installationContext(checkedId(installationId)));
      await records.set(installationId, { installedAt, sealed });
    },

    async find(installationId) {
      const record = await records.get(checkedId(installationId));
      if (record === undefined) {
        return undefined;
      }
      const { installedAt, sealed } = readRecord(installationShape, record, 'installation');
      const installation = readJson(
        z.unknown(),
        sealer.open(sealed, installationContext(installationId)),
        'installation',
      );
      return { installation, installedAt };
    },

    async delete(installationId) {
      await records.delete(checkedId(installationId));
    },
  };
}

export function installationContext(installationId: string): SealContext {
  return { purpose: 'installation', installation: installationId, record: installationId };
}

/**
 * Whether an event at `eventAt` is older than this installation. Slack's event times are whole seconds, rounded down,
 * so an event of the installation's own second is about it.
 */
export function isBeforeInstallation(eventAt: number, installedAt: number): boolean {
  return eventAt < Math.floor(installedAt / 1000) * 1000;
}
