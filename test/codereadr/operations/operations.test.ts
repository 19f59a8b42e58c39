import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { labelOf } from '../../../src/codereadr/operations/check.js';
import { codes } from '../../../src/codereadr/operations/codes.js';
import { commonErrors } from '../../../src/codereadr/operations/common.js';
import { findOperation, operationName, operations, services } from '../../../src/codereadr/operations/index.js';
import type { Param, Params } from '../../../src/codereadr/operations/operation.js';
import { schemaOf } from '../../../src/codereadr/operations/param-schema.js';

/** The operations of the contract's section 4 with their parameters; `!` marks a required one. */
const contract: Readonly<Record<string, string>> = {
  'services/retrieve': 'service_id',
  'services/create':
    'validation_method! database_id postback_url description service_name duplicate_value device_duplicate_value ' +
    'period_start_date period_start_time period_end_date period_end_time upload_email upload_email_format viewOtherScans ' +
    'direct_history_url direct_lookup_url enable_direct_scan postback_receiver_only postback_real_time_scans ' +
    'postback_uploaded_scans regex_response_pattern regex_response_replacement regex_scan_pattern regex_scan_replacement ' +
    'symbologies auto_next_scan auto_next_scan_delay enableGPS block_camera_scan block_manual_scan block_db_search ' +
    'auto_sync auto_sync_up_url auto_sync_up_delay auto_sync_down_url auto_sync_down_delay decoder_config scan_properties',
  'services/update':
    'service_id! database_id postback_url description service_name duplicate_value device_duplicate_value ' +
    'period_start_date period_start_time period_end_date period_end_time upload_email upload_email_format viewOtherScans ' +
    'direct_history_url direct_lookup_url postback_receiver_only postback_real_time_scans ' +
    'postback_uploaded_scans regex_response_pattern regex_response_replacement regex_scan_pattern regex_scan_replacement ' +
    'symbologies auto_next_scan auto_next_scan_delay enableGPS block_camera_scan block_manual_scan block_db_search ' +
    'auto_sync auto_sync_up_url auto_sync_up_delay auto_sync_down_url auto_sync_down_delay decoder_config scan_properties',
  'services/delete': 'service_id!',
  'services/adduserpermission': 'service_id! user_id!',
  'services/revokeuserpermission': 'service_id! user_id!',
  'services/addquestion': 'service_id! question_id! condition required',
  'services/removequestion': 'service_id! question_id! condition',
  'users/retrieve': 'user_id',
  'users/create': 'username! password limit',
  'users/update': 'user_id! username password limit',
  'users/delete': 'user_id!',
  'users/validate': 'username! password!',
  'devices/retrieve': 'device_id',
  'devices/update': 'device_id! device_name!',
  'questions/retrieve': 'question_id',
  'questions/create': 'question_text! question_type',
  'questions/delete': 'question_id!',
  'questions/addanswer': 'question_id! answer_text!',
  'questions/deleteanswer': 'answer_id!',
  'databases/create': 'database_name! case_sensitivity',
  'databases/retrieve': 'database_id info_level',
  'databases/update': 'database_id! database_name!',
  'databases/delete': 'database_id!',
  'databases/clear': 'database_id!',
  'databases/showvalues': 'database_id! value valuelike response responselike validity limit offset',
  'databases/upload': 'database_id! csvfile! trim_value is_deferred',
  'databases/upsertmultivalue': 'values! database_id trim_value',
  'databases/upsertvalue': 'database_id! value! response validity trim_value',
  'databases/addvalue': 'database_id! value! response validity trim_value',
  'databases/editvalue': 'database_id! value! response validity',
  'databases/deletevalue': 'database_id! value!',
  'scans/retrieve':
    'keyword service_id device_id user_id scan_id upload_id status start_date start_time end_date end_time limit offset ' +
    'showProperties includeProperty excludeProperty with_property without_property value valuelike response responselike ' +
    'timestamp_received timestamp_modified modified_diff timezone timezone_offset order_by only_recent',
  'scans/delete': 'scan_id!',
  'scan_properties/create': 'scan_id! name! value!',
  'scan_properties/update': 'scan_id! name! value!',
  'scan_properties/retrieve': 'scan_id! name!',
  'scan_properties/delete': 'scan_id! name!',
  'uploads/retrieve': 'service_id device_id user_id limit offset',
  'limits/retrieve': '',
  'barcode/generate':
    'value! size valuesize valueposition hideframe hidevalue text textsize textalignment logo logoposition filetype ' +
    'errorcorrection barcodetype',
};

function words(list: string): string[] {
  return list.split(' ').filter(Boolean).sort();
}

describe('the catalogue', () => {
  test('the catalogue declares the contract’s 41 operations, each once', () => {
    expect(operations).toHaveLength(41);
    expect(operations.map(operationName).sort()).toEqual(Object.keys(contract).sort());
  });

  test('the catalogue lists as many operations as the files of its folder declare', () => {
    const folder = resolve(import.meta.dirname, '../../../src/codereadr/operations');
    const texts = readdirSync(folder).map((file) => readFileSync(resolve(folder, file), 'utf8'));
    const declared = texts.flatMap((text) => text.match(/^(?:export )?const \w+ = operation\(/gm) ?? []);
    expect(declared).toHaveLength(operations.length);
  });

  test('the catalogue finds an operation by section and action, and no operation for unknown names', () => {
    expect(findOperation('services', 'update')).toBe(services.update);
    expect(findOperation('services', 'explode')).toBeUndefined();
    expect(findOperation('__proto__', 'constructor')).toBeUndefined();
  });
});

describe.each(operations.map((operation) => [operationName(operation), operation] as const))(
  '%s',
  (name, operation) => {
    test('an operation has the contract’s parameters, and requires the required ones', () => {
      const declared = Object.entries(operation.input).map(([key, param]) => (param.required ? `${key}!` : key));
      expect(declared.sort()).toEqual(words(contract[name] ?? ''));
    });

    test('an operation has a title that fits a modal, and an effect (read, write, delete) that fits its action', () => {
      expect(operation.title.length).toBeGreaterThan(3);
      expect(operation.title.length).toBeLessThanOrEqual(24);
      const reading = ['retrieve', 'showvalues', 'validate', 'generate'].includes(operation.action);
      const removing = ['delete', 'clear', 'deletevalue', 'deleteanswer'].includes(operation.action);
      expect(operation.effect).toBe(reading ? 'read' : removing ? 'delete' : 'write');
    });

    test('an operation’s declaration mentions only parameters and error codes that exist', () => {
      walk(operation.input, (key, param, siblings) => {
        const mentioned = [
          ...(param.requires ?? []),
          ...(param.conflictsWith ?? []),
          ...[param.requiredWhen, param.onlyWhen, param.requiredUnlessEmail].flatMap((c) => (c ? [c.param] : [])),
        ];
        for (const other of mentioned) {
          expect(Object.keys(siblings), `${key} mentions ${other}`).toContain(other);
        }
        const mentionedCodes = [
          ...(param.errors ?? []),
          ...[param.requiresCode, param.requiredWhen?.code, param.onlyWhen?.code, param.requiredUnlessEmail?.code],
        ];
        for (const code of mentionedCodes.filter((found) => found !== undefined)) {
          expect(codes.has(code), `${key}: ${code}`).toBe(true);
        }
        for (const condition of [param.requiredWhen, param.onlyWhen]) {
          const other = condition && siblings[condition.param];
          if (other?.type === 'enum') {
            expect(other.options.map(([value]) => value)).toEqual(expect.arrayContaining([...condition!.is]));
          }
        }
      });
      for (const code of [...operation.errors, ...commonErrors]) {
        expect(codes.has(code), code).toBe(true);
      }
      expect(new Set(operation.errors).size).toBe(operation.errors.length);
      for (const key of operation.period ? Object.entries(operation.period).filter(([k]) => /Date|Time/.test(k)) : []) {
        expect(Object.keys(operation.input)).toContain(key[1]);
      }
    });

    test('an operation describes and labels each parameter in few words', () => {
      walk(operation.input, (key, param) => {
        expect(param.description, key).toMatch(/^[A-Z{].*\.$/);
        expect(param.description.length, key).toBeLessThanOrEqual(120);
        expect(param.label ?? labelOf(operation, key), key).toMatch(/^[A-Z]/);
        expect((param.label ?? labelOf(operation, key)).length, key).toBeLessThanOrEqual(40);
        if (param.type === 'enum' || param.type === 'enumList') {
          expect(param.options.length, key).toBeGreaterThan(1);
          expect(new Set(param.options.map(([value]) => value)).size).toBe(param.options.length);
          for (const [, means] of param.options) {
            expect(means.length, key).toBeLessThanOrEqual(75);
          }
        }
      });
    });

    test('an operation’s default values pass its own check', () => {
      walk(operation.input, (key, param) => {
        if (param.default !== undefined) {
          expect(schemaOf(param).safeParse(param.default).success, key).toBe(true);
        }
      });
    });
  },
);

function walk(params: Params, visit: (name: string, param: Param, siblings: Params) => void): void {
  for (const [name, param] of Object.entries(params)) {
    visit(name, param, params);
    if (param.type === 'records') {
      walk(param.fields, visit);
    }
  }
}

test('the operations that create and update a service share one declaration of every setting', () => {
  const createOnly = new Set(['validation_method', 'enable_direct_scan']);
  for (const [key, param] of Object.entries(services.create.input)) {
    if (!createOnly.has(key)) {
      expect(services.update.input).toHaveProperty(key);
      const { resetWhenOmitted, sentWith: _, ...shared } = (services.update.input as Params)[key] as Param;
      expect(resetWhenOmitted, key).toBe(key === 'symbologies' ? true : undefined);
      expect(param).toMatchObject(shared);
    }
  }
});

test('the table of error codes has every code of the contract, each with a title and a remedy', () => {
  const contracted =
    '2 10 50 100 101 102 103 104 105 110 111 113 120 131 132 133 134 135 200 201 202 203 204 205 206 210 211 213 214 215 ' +
    '216 217 218 219 221 222 223 224 225 226 261 262 265 266 269 270 300 310 320 330 340 341 342 343 410 804 1017 1019 ' +
    '1026 1027 1028 1029 1036';
  expect([...codes.keys()].sort()).toEqual(words(contracted));
  for (const meaning of codes.values()) {
    expect(meaning.title).toMatch(/^[A-Z].*[^.]$/);
    expect(meaning.todo).toMatch(/^[A-Z].*\.$/);
    for (const name of meaning.params) {
      expect(
        operations.some((operation) => Object.hasOwn(operation.input, name)),
        `${meaning.code}: ${name}`,
      ).toBe(true);
    }
  }
});
