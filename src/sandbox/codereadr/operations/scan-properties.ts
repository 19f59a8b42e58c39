/**
 * The section `scan_properties`. Names are case-sensitive, except in retrieve. The error table has no code for a
 * property that exists already or does not exist: 50 with a text *(guess)*.
 */
import { Refusal } from '../answer/refusal.js';
import { subjects, type Variables } from '../request/variables.js';
import { element } from '../xml/write.js';
import { existingIds, namedIds } from './existing.js';
import type { Call, Handler, Section } from './operation.js';

const longestText = 100;

function readText(variables: Variables, name: 'name' | 'value'): string {
  const text = variables.required(name, '50');
  if ([...text].length > longestText) throw new Refusal('50', `${name} is longer than ${longestText} characters.`);
  return text;
}

function scanIdOf({ account, variables, sql }: Call): number {
  return existingIds(sql, account, 'scan', [variables.id('scan_id', subjects.scan)])[0] as number;
}

const create: Handler = (call) =>
  call.sql.transaction(() => {
    const [name, value] = [readText(call.variables, 'name'), readText(call.variables, 'value')];
    for (const id of namedIds(call, 'scan')) {
      if (hasProperty(call, id, name)) throw new Refusal('50', `Scan ${id} has a property of that name.`);
      call.sql.run('INSERT INTO scan_properties (scan_id, name, value) VALUES (?, ?, ?)', id, name, value);
      touch(call, id);
    }
    return [];
  });

const update: Handler = (call) =>
  call.sql.transaction(() => {
    const [name, value] = [readText(call.variables, 'name'), readText(call.variables, 'value')];
    for (const id of namedIds(call, 'scan')) {
      if (!hasProperty(call, id, name)) throw new Refusal('50', `Scan ${id} has no property of that name.`);
      call.sql.run('UPDATE scan_properties SET value = ? WHERE scan_id = ? AND name = ?', value, id, name);
      touch(call, id);
    }
    return [];
  });

const retrieve: Handler = (call) => {
  const id = scanIdOf(call);
  const name = readText(call.variables, 'name');
  const property = call.sql.get<{ value: string }>(
    'SELECT value FROM scan_properties WHERE scan_id = ? AND fold(name) = fold(?) ORDER BY name = ? DESC',
    id,
    name,
    name,
  );
  if (!property) throw new Refusal('50', 'The scan has no property of that name.');
  return [element('value', property.value)];
};

const remove: Handler = (call) =>
  call.sql.transaction(() => {
    const id = scanIdOf(call);
    const name = readText(call.variables, 'name');
    if (!hasProperty(call, id, name)) throw new Refusal('50', 'The scan has no property of that name.');
    call.sql.run('DELETE FROM scan_properties WHERE scan_id = ? AND name = ?', id, name);
    touch(call, id);
    return [];
  });

function hasProperty({ sql }: Call, scanId: number, name: string): boolean {
  return sql.get('SELECT 1 FROM scan_properties WHERE scan_id = ? AND name = ?', scanId, name) !== undefined;
}

function touch({ sql, clock }: Call, scanId: number): void {
  sql.run('UPDATE scans SET modified_at = ? WHERE id = ?', clock.now(), scanId);
}

export const scanProperties: Section = { create, update, retrieve, delete: remove };
