/**
 * The variables that a workflow is started with: a scan's values under the names that its rule has chosen. Outside text
 * is passed on as it is.
 */
import { DateTime } from 'luxon';
import { filledVariables, type WorkflowPost, type WorkflowValues } from '../../relay/index.js';
import { readingMoment } from '../../scans/moment.js';
import { answerSeparator, utcMoment } from '../../scans/received/received-scan-rows.js';
import { resultWords } from '../../scans/result-words.js';
import type { TriggerVariables } from '../../workflows/index.js';
import { resultNameOf } from '../block-kit/describe-result.js';
import { afterQuestion } from '../block-kit/scan-rows.js';
import type { ScanNames } from './blocks/scan-post.js';
import { createPostNames, type PostNamesDeps } from './scan-names.js';

type StartedWorkflow = Pick<WorkflowPost, 'owner' | 'relay' | 'scan' | 'variables'>;

/** Makes a workflow's variables. An id without a known name stands for itself. */
export function createWorkflowVariables(deps: PostNamesDeps): (started: StartedWorkflow) => Promise<TriggerVariables> {
  const findNames = createPostNames(deps);
  return async ({ variables, ...about }) => {
    const unsent = { key: '', generation: 0, channel: '', rules: [], mention: { users: [], groups: [] }, watchers: [] };
    const { scan: names } = await findNames({ ...unsent, ...about, kind: 'scan' });
    return filledVariables(variables, valuesOf(about, names));
  };
}

/** The values of a scan. `moment`: ISO 8601 in UTC. `answers`: the answers known by now, one a line. */
function valuesOf({ scan, relay }: Pick<StartedWorkflow, 'scan' | 'relay'>, names: ScanNames): WorkflowValues {
  const scannedAt = readingMoment(utcMoment(scan.scannedAtUtc), scan.receivedAt);
  const answers = scan.answers.map(({ questionId, question = `Question ${questionId}`, answer }) => {
    return `${question}${afterQuestion(question)}${answer.split(answerSeparator).join(', ')}`;
  });
  return {
    barcode: scan.tid,
    result: resultWords[resultNameOf(scan, relay.settings.judging.kind !== 'accept')],
    service: names.service ?? scan.sid ?? '',
    gate: names.device ?? scan.udid ?? '',
    person: names.user ?? scan.userid ?? '',
    moment: DateTime.fromMillis(scannedAt, { zone: 'utc' }).toISO({ suppressMilliseconds: true }) ?? '',
    answers: answers.join('\n'),
    scan_key: scan.id,
  };
}

/** Sample values for a test of the workflow. `key`: a new scan key for each test. */
export function sampleValues(key: string): WorkflowValues {
  return {
    barcode: '00123',
    result: resultWords.valid,
    service: 'Main entrance',
    gate: 'Phone 3',
    person: 'ada',
    moment: '2026-01-31T14:03:00Z',
    answers: 'Seats: 2',
    scan_key: key,
  };
}
