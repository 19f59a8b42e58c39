import { describe, expect, it } from 'vitest';
import { ConfigError, exampleOf, readConfig, type SettingName, settings } from '../src/config.js';

const key = Buffer.alloc(32, 7).toString('base64');
const enough = {
  PUBLIC_URL: 'https://scandesk.example.com',
  SCANDESK_SECRET: key,
  SLACK_SIGNING_SECRET: 'signing',
  SLACK_BOT_TOKEN: 'xoxb-1',
};

function problemsOf(environment: Record<string, string>): [SettingName, string][] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems.map((p) => [p.name, p.problem]);
    }
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('the required settings alone are valid, and the other settings have defaults', () => {
    const config = readConfig(enough);
    expect(config.PORT).toBe(3000);
    expect(config.ACCOUNT_API_URL).toBe('https://api.codereadr.com/api/');
    expect(config.METRICS).toBe(false);
    expect(config.secretKeys.map((k) => k.length)).toEqual([32]);
  });

  it('the error about settings names every missing setting at once', () => {
    expect(problemsOf({})).toEqual([
      ['PUBLIC_URL', 'missing'],
      ['SCANDESK_SECRET', 'missing'],
      ['SLACK_BOT_TOKEN', 'missing'],
      ['SLACK_SIGNING_SECRET', 'missing'],
    ]);
  });

  it('an empty setting counts as missing', () => {
    expect(problemsOf({ ...enough, PUBLIC_URL: '  ' })).toEqual([['PUBLIC_URL', 'missing']]);
  });

  it.each([
    ['PUBLIC_URL', 'scandesk.example.com'],
    ['PUBLIC_URL', 'ftp://scandesk.example.com'],
    ['PUBLIC_URL', 'https://example.com/scandesk'],
    ['PUBLIC_URL', 'https://example.com/?x=1'],
    ['SCANDESK_SECRET', 'c2hvcnQ='],
    ['DATABASE_URL', 'mysql://x'],
    ['PORT', '70000'],
    ['PORT', 'three'],
    ['LOG_LEVEL', 'loud'],
    ['POST_INTERVAL_MS', '-1'],
    ['ACCOUNT_API_URL', 'https://api.example.com'],
    ['TRUSTED_PROXIES', 'proxy.example.com'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, 10.0.0.0/33'],
  ] as const)('the setting %s=%s is refused', (name, value) => {
    expect(problemsOf({ ...enough, [name]: value })).toEqual([[name, 'invalid']]);
  });

  it('the setting PUBLIC_URL is read without the slash at its end', () => {
    for (const given of ['https://scandesk.example.com', 'https://scandesk.example.com/']) {
      expect(readConfig({ ...enough, PUBLIC_URL: given }).PUBLIC_URL).toBe('https://scandesk.example.com');
    }
  });

  it('trusted proxies may be addresses and networks of IPv4 and IPv6', () => {
    const TRUSTED_PROXIES = '10.0.0.0/8, 192.168.1.4, 2001:db8::/32, ::1';
    expect(readConfig({ ...enough, TRUSTED_PROXIES }).TRUSTED_PROXIES).toHaveLength(4);
  });

  it('Socket Mode needs no signing secret', () => {
    expect(problemsOf({ ...enough, SLACK_SIGNING_SECRET: '', SLACK_APP_TOKEN: 'xapp-1' })).toEqual([]);
  });

  it('the setting SLACK_CLIENT_ID without SLACK_CLIENT_SECRET is refused', () => {
    const { SLACK_BOT_TOKEN: _, ...rest } = enough;
    expect(problemsOf({ ...rest, SLACK_CLIENT_ID: '1.2' })).toEqual([['SLACK_CLIENT_SECRET', 'missing']]);
  });

  it('the setting SCANDESK_SECRET may have several keys, and keeps their order', () => {
    const old = Buffer.alloc(32, 1).toString('base64');
    expect(readConfig({ ...enough, SCANDESK_SECRET: `${key}, ${old}` }).secretKeys.map((k) => k[0])).toEqual([7, 1]);
  });

  it('the error about settings contains no value of a setting', () => {
    try {
      readConfig({ ...enough, SCANDESK_SECRET: 'canary-value', PORT: 'canary-port' });
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify(error) + String(error)).not.toContain('canary');
    }
  });

  it('every setting has a description and an example', () => {
    for (const name of Object.keys(settings) as SettingName[]) {
      expect(settings[name].description.length).toBeGreaterThan(10);
      expect(exampleOf(name)).not.toBe('');
    }
  });
});
