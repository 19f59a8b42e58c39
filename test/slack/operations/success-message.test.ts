import { describe, expect, it } from 'vitest';
import { findOperation, operations } from '../../../src/codereadr/operations/index.js';
import { richText } from '../../../src/slack/block-kit/text.js';
import { successMessage } from '../../../src/slack/operations/result/success-message.js';
import { read, shownTexts } from '../block-kit/reading.js';

const said = (name: string, shown: Record<string, unknown>, more: Parameters<typeof successMessage>[2] = {}) => {
  const [section = '', action = ''] = name.split('/');
  return read([richText(successMessage(findOperation(section, action)!, shown, more))]);
};

describe('success messages', () => {
  it.each(operations.filter(({ effect }) => effect !== 'read'))(
    'a success message exists for $section/$action, and names the operation’s parameters, but no secret',
    ({ success: done, input }) => {
      expect(done).toMatch(/^[A-Z][a-z]+ /);
      const told = [...done!.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      expect(told.length).toBeGreaterThan(0);
      for (const name of told) {
        expect(Object.keys(input)).toContain(name);
        expect(input[name]!.secret).not.toBe(true);
      }
    },
  );

  it('a success message names the new record, with its ID', () => {
    expect(said('databases/create', { database_name: 'Guests' }, { id: '1522' })).toBe(
      'Created the database Guests (ID 1522).',
    );
    expect(said('services/create', {}, { id: '3' })).toBe('Created the service (ID 3).');
  });

  it('a success message names records by name, or by kind and ID, and gives the number of many records', () => {
    const names = { service_id: 'Gate A (ID 1)', user_id: 'mia (ID 7), leo (ID 8)' };
    expect(said('services/adduserpermission', { service_id: ['1'], user_id: ['7', '8'] }, { names })).toBe(
      'Gave the users mia (ID 7), leo (ID 8) access to the service Gate A (ID 1).',
    );
    expect(said('services/delete', { service_id: ['1'] })).toBe('Deleted the service with the ID 1.');
    expect(said('services/delete', { service_id: ['1', '2'] })).toBe('Deleted the services with the IDs 1, 2.');
    expect(said('scans/delete', { scan_id: ['1', '2', '3', '4', '5', '6'] })).toBe('Deleted 6 scans.');
    expect(said('services/adduserpermission', { service_id: ['1'], user_id: 'all' })).toContain(
      'Gave all users access to',
    );
    expect(said('databases/upsertmultivalue', { values: [{}, {}] })).toBe('Added or updated 2 values.');
  });

  it('a success message shows a barcode letter by letter', () => {
    const elements = successMessage(findOperation('databases', 'addvalue')!, { value: ' 007 ', database_id: '1' }, {});
    expect(shownTexts([richText(elements)])).toContainEqual({ how: 'exact', text: ' 007 ', code: true });
  });
});
