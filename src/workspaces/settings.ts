/**
 * A workspace's settings and its connection to the scanning account; the API key is sealed. Each setting is a record of
 * its own, so that two people can change two of them at once.
 */
import { z } from 'zod';
import type { OpenKeyv } from '../database/keyv-store.js';
import { readRecord, recordKey } from '../database/stored-json.js';
import type { Owner } from '../ownership.js';
import type { SealContext, Sealer, WorkspaceSettings, WorkspaceStore } from './types.js';

export const workspaceNamespace = 'workspace';

const shapes = {
  lookupDatabases: z.array(z.string()),
  managers: z.object({ users: z.array(z.string()), groups: z.array(z.string()) }),
  mirror: z.object({ scanDays: z.number().int().min(0).optional(), without: z.array(z.string()).optional() }),
} satisfies { [Field in keyof WorkspaceSettings]-?: z.ZodType<NonNullable<WorkspaceSettings[Field]>> };

type Field = keyof typeof shapes;
const fieldNames = Object.keys(shapes) as Field[];
/** Settings that hold ids of the connected account, which mean nothing in another account. */
const accountFields: readonly Field[] = ['lookupDatabases', 'mirror'];

/** The record of linked members, see members.ts. */
export const membersRecord = 'members';

const connectionRecord = 'connection';
export const connectionKeySuffix = `:${connectionRecord}`;
export const connectionShape = z.object({ connectedBy: z.string(), connectedAt: z.number(), sealedKey: z.string() });

export function createWorkspaces(deps: { keyv: OpenKeyv; sealer: Sealer }): WorkspaceStore {
  const { sealer } = deps;
  const records = deps.keyv<unknown>(workspaceNamespace);

  async function settings(owner: Owner): Promise<WorkspaceSettings> {
    const stored = await records.getMany(fieldNames.map((field) => recordKey(owner, field)));
    const found = fieldNames.flatMap((field, at) => {
      const value = stored[at];
      return value === undefined ? [] : [[field, readRecord(shapes[field], value, `setting ${field}`)]];
    });
    return Object.fromEntries(found) as WorkspaceSettings;
  }

  async function storedConnection(owner: Owner) {
    const stored = await records.get(recordKey(owner, connectionRecord));
    return stored === undefined ? undefined : readRecord(connectionShape, stored, 'connection');
  }

  return {
    settings,

    async change(owner, fields) {
      const givenFields = fieldNames.filter((field) => Object.hasOwn(fields, field));
      const entries = givenFields
        .filter((field) => fields[field] !== undefined)
        .map((field) => ({
          key: recordKey(owner, field),
          value: readRecord(shapes[field], fields[field], `setting ${field}`),
        }));
      const cleared = givenFields
        .filter((field) => fields[field] === undefined)
        .map((field) => recordKey(owner, field));
      if (entries.length > 0) {
        await records.setMany(entries);
      }
      if (cleared.length > 0) {
        await records.deleteMany(cleared);
      }
      return await settings(owner);
    },

    async connection(owner) {
      const stored = await storedConnection(owner);
      return stored && { connectedBy: stored.connectedBy, connectedAt: stored.connectedAt };
    },

    async connections() {
      const connections: { owner: Owner; connectedAt: number }[] = [];
      for await (const [key, stored] of records.iterator?.({}) ?? []) {
        const [installation, team, record] = String(key).split(':');
        const connection = record === connectionRecord ? connectionShape.safeParse(stored).data : undefined;
        if (installation && team && connection) {
          connections.push({ owner: { installation, team }, connectedAt: connection.connectedAt });
        }
      }
      return connections;
    },

    async apiKey(owner) {
      const stored = await storedConnection(owner);
      return stored && sealer.open(stored.sealedKey, apiKeyContext(owner));
    },

    async connect(owner, apiKey, { connectedBy, connectedAt }) {
      const sealedKey = sealer.seal(apiKey, apiKeyContext(owner));
      await records.set(recordKey(owner, connectionRecord), { connectedBy, connectedAt, sealedKey });
    },

    async disconnect(owner) {
      const key = recordKey(owner, connectionRecord);
      const wasConnected = await records.has(key);
      // One statement deletes all records: no reader sees a key without its databases, or the reverse.
      await records.deleteMany([key, ...[...accountFields, membersRecord].map((field) => recordKey(owner, field))]);
      return wasConnected;
    },
  };
}

export function apiKeyContext(owner: Owner): SealContext {
  return { purpose: 'api-key', installation: owner.installation, record: owner.team };
}
