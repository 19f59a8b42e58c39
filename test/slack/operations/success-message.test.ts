import { describe, expect, it } from 'vitest';
import { findOperation, operations } from '../../../src/codereadr/operations/index.js';
import { richText } from '../../../src/slack/block-kit/text.js';
import { doneSentence } from '../../../src/slack/operations/result/success-message.js';
import { read, shownTexts } from '../block-kit/reading.js';

const said = (name: string, shown: Record<string, unknown>, more: Parameters<typeof doneSentence>[2] = {}) => {
  const [section = '', action = ''] = name.split('/');
  return read([richText(doneSentence(findOperation(section, action)!, shown, more))]);
};

describe('what was done', () => {
  it.each(operations.filter(({ effect }) => effect !== 'read'))('has words of $section/$action', ({ done, input }) => {
    expect(done).toMatch(/^[A-Z][a-z]+ /);
    const told = [...done!.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    expect(told.length).toBeGreaterThan(0);
    for (const name of told) {
      expect(Object.keys(input)).toContain(name);
      expect(input[name]!.secret).not.toBe(true);
    }
  });

  it('names what was made, with its id', () => {
    expect(said('databases/create', { database_name: 'Guests' }, { id: '1522' })).toBe(
      'Created the database Guests (id 1522).',
    );
    expect(said('services/create', {}, { id: '3' })).toBe('Created the service (id 3).');
  });

  it('names things by what people call them, else by their kind and id, and counts many', () => {
    const names = { service_id: 'Gate A (id 1)', user_id: 'mia (id 7), leo (id 8)' };
    expect(said('services/adduserpermission', { service_id: ['1'], user_id: ['7', '8'] }, { names })).toBe(
      'Let the users mia (id 7), leo (id 8) use the service Gate A (id 1).',
    );
    expect(said('services/delete', { service_id: ['1'] })).toBe('Deleted the service with the id 1.');
    expect(said('services/delete', { service_id: ['1', '2'] })).toBe('Deleted the services with the ids 1, 2.');
    expect(said('scans/delete', { scan_id: ['1', '2', '3', '4', '5', '6'] })).toBe('Deleted 6 scans.');
    expect(said('services/adduserpermission', { service_id: ['1'], user_id: 'all' })).toContain('Let all users use');
    expect(said('databases/upsertmultivalue', { values: [{}, {}] })).toBe('Added or changed 2 values.');
  });

  it('shows a barcode letter by letter', () => {
    const elements = doneSentence(findOperation('databases', 'addvalue')!, { value: ' 007 ', database_id: '1' }, {});
    expect(shownTexts([richText(elements)])).toContainEqual({ how: 'exact', text: ' 007 ', code: true });
  });
});
