import { expect, test } from 'vitest';
import { AccountError } from '../../../src/codereadr/types.js';
import type { ConnectionStatus } from '../../../src/slack/connection/status.js';
import { statusBlocks } from '../../../src/slack/connection/status-view.js';
import { read } from '../block-kit/reading.js';

const facts: ConnectionStatus = {
  connection: { connectedBy: 'U0ADA', connectedAt: 1_780_000_000_000 },
  chosenDatabases: undefined,
  databaseCount: undefined,
  callsLeft: undefined,
  key: 'accepted',
  problem: undefined,
  relays: { total: 0, paused: 0, blocked: 0, pending: 0, notDelivered: 0 },
  managers: { users: [], groups: [] },
};

test.each([
  [[{ id: '1021' }, { id: '7', name: 'Tickets' }], 'Lookups search: Tickets, 1 other database\n'],
  [[{ id: '1021' }], 'Lookups search: 1 database\n'],
  [[{ id: '7', name: 'Tickets' }], 'Lookups search: Tickets\n'],
])('the status counts searched databases without a name, and hides their IDs: %j', (chosenDatabases, words) => {
  const text = read(statusBlocks({ ...facts, chosenDatabases }));
  expect(text).toContain(words);
  expect(text).not.toContain('1021');
});

test('the status shows a refused key as refused, and says that it checks the connection while no call was made', () => {
  expect(read(statusBlocks(facts))).toContain('Connected by');
  expect(read(statusBlocks({ ...facts, key: undefined }))).toContain('Checking the connection… · connected by');
  const trouble = new AccountError('account.key_refused', 'x', { apiCode: '100' });
  const refused = read(statusBlocks({ ...facts, key: 'refused', problem: trouble }));
  expect(refused).toContain('API key refused · added by');
  expect(refused).not.toContain('Connected');
});

test('the status shows the size of the copy, or the progress of the copying', () => {
  const copied = { values: 500_000, scans: 1_000_000, at: 1_780_000_000_000 };
  expect(read(statusBlocks({ ...facts, copy: copied }))).toContain('Copied: 500,000 values, 1,000,000 scans as of');
  const copying = { values: { read: 40_000, of: 500_000 }, scans: 12_000 };
  expect(read(statusBlocks({ ...facts, copy: { ...copied, copying } }))).toContain(
    'Copying: 40,000 of 500,000 values, 12,000 scans so far. Each lookup takes API calls until all is copied.\n',
  );
  expect(read(statusBlocks({ ...facts, copy: { values: 0, scans: 0 } }))).toContain('Copied: nothing yet\n');
  expect(read(statusBlocks(facts))).not.toContain('Cop');
});
