/** What an operator reads of a process that runs while Slack does not answer. */
import { expect, it } from 'vitest';
import { readConfig } from '../src/config.js';
import { failedStart, runningWith, settingSlackRefuses } from '../src/start-screen.js';

const required = {
  PUBLIC_URL: 'https://scandesk.example.com',
  SCANDESK_SECRET: Buffer.alloc(32, 9).toString('base64'),
  SLACK_SIGNING_SECRET: 'signing',
  SLACK_BOT_TOKEN: 'xoxb-token',
};

it.each([
  ['Slack, and no setting, where nobody set an address', {}, 'Slack  slack.com can’t be reached (ENOTFOUND).'],
  [
    'the address that somebody set',
    { SLACK_API_URL: 'https://slack.test/api/' },
    'SLACK_API_URL  Slack at slack.test can’t be reached (ENOTFOUND).',
  ],
])('the screen of a process that cannot reach Slack names %s', (_, settings, said) => {
  const environment = { ...required, ...settings };
  const problem = settingSlackRefuses({ kind: 'unanswered', code: 'ENOTFOUND' }, readConfig(environment), environment);
  expect(runningWith(problem ? [problem] : [], environment)).toContain(`\n  ${said} Check this machine’s network`);
});

it('the screen of a start without settings points to the demo where npm started it, and not in a container', () => {
  const missing = [{ name: 'PUBLIC_URL', problem: 'missing', why: 'is missing.' }] as const;
  expect(failedStart(missing, { npm_lifecycle_event: 'start' })).toContain('npm run demo');
  expect(failedStart(missing, {})).not.toContain('npm');
});
