/** Prometheus metrics. Labels are few and fixed: never a barcode, a name, a workspace or a secret. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** Calls sent to the account service, by operation (`section/action`) and outcome (`ok` or an error code). */
  readonly accountCalls: Counter<'operation' | 'outcome'>;
  readonly accountSeconds: Histogram<'operation'>;
  /** Scans received by relays, by outcome: `accepted`, `repeat`, `completed`, or why none was stored. */
  readonly relayScans: Counter<'outcome'>;
  readonly relaySeconds: Histogram;
  /** Result codes of new scans: `valid`, `duplicate`, `unknown_accepted`. */
  readonly relayFindings: Counter<'finding'>;
  /** What answered for a scan's value: `copy`, `account`, `nobody`. */
  readonly databaseAnswers: Counter<'from'>;
  /** Refreshes of the database copies, by outcome: `done`, or why one failed. */
  readonly copyRounds: Counter<'outcome'>;
  /**
   * Posts by outcome: `delivered`, `retry`, `doubt` (may have been posted), `recovered` (it had been), `folded` (into a
   * digest), `aside` (dead letter), `gone`; and updates of posted messages: `edited`, `edit_retry`, `edit_refused`.
   */
  readonly posts: Counter<'outcome'>;
  readonly outboxWaiting: Gauge;
  /** Slack requests handled, by kind (`command`, `action`, `view`, `event`, `options`, `shortcut`) and outcome. */
  readonly slackRequests: Counter<'kind' | 'outcome'>;
}

export function createMetrics(options: { processFigures?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.processFigures) {
    collectDefaultMetrics({ register: registry });
  }
  const registers = [registry];
  return {
    registry,
    accountCalls: new Counter({
      name: 'scandesk_account_calls_total',
      help: 'Calls sent to the account service',
      labelNames: ['operation', 'outcome'],
      registers,
    }),
    accountSeconds: new Histogram({
      name: 'scandesk_account_seconds',
      help: 'Seconds until the account service had answered',
      labelNames: ['operation'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
      registers,
    }),
    relayScans: new Counter({
      name: 'scandesk_relay_scans_total',
      help: 'Scans that came to the relay',
      labelNames: ['outcome'],
      registers,
    }),
    relaySeconds: new Histogram({
      name: 'scandesk_relay_seconds',
      help: 'Seconds from the arrival of a scan to its answer',
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 3, 15],
      registers,
    }),
    relayFindings: new Counter({
      name: 'scandesk_relay_findings_total',
      help: 'What new scans were found to be',
      labelNames: ['finding'],
      registers,
    }),
    databaseAnswers: new Counter({
      name: 'scandesk_database_answers_total',
      help: 'Scans judged by a database, by who knew the value',
      labelNames: ['from'],
      registers,
    }),
    copyRounds: new Counter({
      name: 'scandesk_copy_rounds_total',
      help: 'Rounds of fetching kept copies of databases',
      labelNames: ['outcome'],
      registers,
    }),
    posts: new Counter({
      name: 'scandesk_posts_total',
      help: 'Channel posts by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    outboxWaiting: new Gauge({
      name: 'scandesk_outbox_waiting',
      help: 'Channel posts that wait in the outbox',
      registers,
    }),
    slackRequests: new Counter({
      name: 'scandesk_slack_requests_total',
      help: 'Requests from Slack',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
  };
}
