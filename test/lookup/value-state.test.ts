import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../src/codereadr/operations/index.js';
import { readValueState } from '../../src/lookup/index.js';
import { type DeskHarness, startDesk } from './harness.js';

describe('what a database holds of a barcode', () => {
  let desk: DeskHarness;
  let id = '';
  beforeAll(async () => {
    desk = await startDesk();
    ({ id } = await desk.account.client.call(databases.create, { database_name: 'ValueState' }));
    const value = 'Ab\u001d1';
    await desk.account.client.call(databases.addvalue, {
      database_id: id,
      value,
      response: ' two\nlines ',
      validity: false,
    });
  });
  afterAll(() => desk.close());

  it('a value’s state before a change is its validity and response, also where XML cannot carry the barcode', async () => {
    expect(await readValueState(desk.account, id, 'Ab\u001d1')).toEqual({ valid: false, response: ' two\nlines ' });
  });

  it('a value’s state before a change is undefined where the database lacks this spelling of it', async () => {
    expect(await readValueState(desk.account, id, 'ab\u001d1')).toBeUndefined();
    expect(await readValueState(desk.account, id, 'nowhere')).toBeUndefined();
  });

  it('a value’s state before a change is undefined where the account answers with the code of a missing value', async () => {
    desk.onWire(() => '<?xml version="1.0"?><xml><status>0</status><error code="1017">no such value</error></xml>');
    expect(await readValueState(desk.account, id, 'Ab1')).toBeUndefined();
    desk.onWire(() => '<?xml version="1.0"?><xml><status>0</status><error code="204">no such database</error></xml>');
    await expect(readValueState(desk.account, id, 'Ab1')).rejects.toMatchObject({ apiCode: '204' });
  });
});
