/** The form in which a scan of the account is stored. */
import { z } from 'zod';
import type { RecordedScan } from '../../codereadr/types.js';
import { readJson } from '../../database/stored-json.js';

const namedSchema = z.object({ id: z.string(), name: z.string() });
const pairs = z.object({ name: z.string(), value: z.string() });
const answers = z.object({ questionId: z.string(), question: z.string(), answer: z.string() });
const recordShape = z.object({
  id: z.string(),
  value: z.string(),
  status: z.enum(['valid', 'invalid', 'not_validated', 'other']),
  statusSent: z.string().optional(),
  result: z.string(),
  timestamp: z.string(),
  timestampReceived: z.string().optional(),
  timestampModified: z.string().optional(),
  device: namedSchema,
  service: namedSchema,
  user: namedSchema,
  answers: z.array(answers),
  properties: z.array(pairs),
});

export function readScan(record: string): RecordedScan {
  return readJson(recordShape, record, 'scan') as RecordedScan;
}
