/** Prometheus metrics. Labels are few and fixed: never a barcode, a name, a workspace or a secret. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** Calls sent to the account service, by operation (`section/action`) and outcome (`ok` or an error code). */
  readonly accountCalls: Counter<'operation' | 'outcome'>;
  readonly accountSeconds: Histogram<'operation'>;
  /** Requests to relays, by outcome: `accepted`, `repeat`, `completed` (second submit), or why no scan was stored. */
  readonly relayScans: Counter<'outcome'>;
  readonly relaySeconds: Histogram;
  /** New scans by result code, such as `valid`, `duplicate` or `unknown_accepted`. */
  readonly relayFindings: Counter<'finding'>;
  /** Answers about a scan's value by source: `copy`, `account`, `nobody`. */
  readonly databaseAnswers: Counter<'from'>;
  /** Passes over databases that are mirrored, by outcome: `done`, or the error code of a failure. */
  readonly copyRounds: Counter<'outcome'>;
  /** Calls spent on mirroring, of its share of the accounts' calls. */
  readonly mirrorCalls: Counter;
  /** How many values and scans are mirrored; below, the oldest mirror's age in seconds. `part`: `values`, `scans`. */
  readonly mirrorSize: Gauge<'part'>;
  readonly mirrorAge: Gauge<'part'>;
  /**
   * Posts by outcome: `delivered`, `retry`, `doubt` (may have been posted), `recovered` (it had been), `folded` (into a
   * digest), `aside` (dead letter), `missed` (not sent in its time), `gone`; and updates of posted messages: `edited`,
   * `edit_retry`, `edit_refused`.
   */
  readonly posts: Counter<'outcome'>;
  readonly outboxWaiting: Gauge;
  /**
   * Daily reports by outcome: `delivered`, `recovered` (delivered after a doubt), `missed`, `unknown` (still in doubt).
   * Their attempts are among the posts.
   */
  readonly reports: Counter<'outcome'>;
  /** Exports by outcome: `done`, `cancelled`, or the reason of a failure; and the rows of the shared ones. */
  readonly exports: Counter<'outcome'>;
  /** Runs of jobs: `ok`, `retried` (tried again later) or `failed` (given up). */
  readonly jobs: Counter<'kind' | 'outcome'>;
  readonly exportRows: Counter;
  /** Whether Slack refuses the bot token in SLACK_BOT_TOKEN (1). */
  readonly botTokenRefused: Gauge;
  /** Slack requests handled, by kind of listener (`ListenerKind` in slack/bolt/routing/listeners.ts) and outcome. */
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
      help: 'Calls to the account service, by operation and outcome',
      labelNames: ['operation', 'outcome'],
      registers,
    }),
    accountSeconds: new Histogram({
      name: 'scandesk_account_seconds',
      help: 'Response time of the account service in seconds',
      labelNames: ['operation'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30],
      registers,
    }),
    relayScans: new Counter({
      name: 'scandesk_relay_scans_total',
      help: 'Scans received by relays, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    relaySeconds: new Histogram({
      name: 'scandesk_relay_seconds',
      help: 'Time from receiving a scan to answering it, in seconds',
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 3, 15],
      registers,
    }),
    relayFindings: new Counter({
      name: 'scandesk_relay_findings_total',
      help: 'New scans by result',
      labelNames: ['finding'],
      registers,
    }),
    databaseAnswers: new Counter({
      name: 'scandesk_database_answers_total',
      help: 'Scans validated against databases, by source of the answer',
      labelNames: ['from'],
      registers,
    }),
    copyRounds: new Counter({
      name: 'scandesk_copy_rounds_total',
      help: 'Refreshes of database copies, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    mirrorCalls: new Counter({
      name: 'scandesk_mirror_calls_total',
      help: 'Calls to the account service for the copies of its databases and scans',
      registers,
    }),
    mirrorSize: new Gauge({
      name: 'scandesk_mirror_items',
      help: 'Copied values and scans',
      labelNames: ['part'],
      registers,
    }),
    mirrorAge: new Gauge({
      name: 'scandesk_mirror_age_seconds',
      help: 'Age of the oldest copy in use',
      labelNames: ['part'],
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
      help: 'Channel posts pending in the outbox',
      registers,
    }),
    botTokenRefused: new Gauge({
      name: 'scandesk_bot_token_refused',
      help: '1 while Slack refuses the bot token',
      registers,
    }),
    jobs: new Counter({
      name: 'scandesk_jobs_total',
      help: 'Runs of background jobs, by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    reports: new Counter({
      name: 'scandesk_reports_total',
      help: 'Daily reports by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    exports: new Counter({
      name: 'scandesk_exports_total',
      help: 'Exports by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    exportRows: new Counter({
      name: 'scandesk_export_rows_total',
      help: 'Rows of exports that were shared',
      registers,
    }),
    slackRequests: new Counter({
      name: 'scandesk_slack_requests_total',
      help: 'Requests from Slack, by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
  };
}
