import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLog } from '../src/log.js';

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  write(createLog({ level: 'trace', destination }));
  return text;
}

describe('the log', () => {
  it('the log writes one JSON object a line', () => {
    const lines = logged((log) => log.info({ a: 1 }, 'hello'))
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['hello']);
  });

  it.each([
    ['a field named apiKey', { apiKey: 'canary' }],
    ['a field api_key one level down', { workspace: { api_key: 'canary' } }],
    ['a token in a header', { headers: { x: 'Bearer canary' } }],
    ['a bot token in free text', { text: 'failed with xoxb-canary-1' }],
    ['an app token in free text', { text: 'xapp-1-canary' }],
    ['an API key in a form body', { body: 'section=scans&api_key=canary&action=retrieve' }],
    ['an API key in an encoded form body', { body: 'xml=%3Cx%3E&api_key%3Dcanary' }],
    ['an API key in an XML document', { body: '<xml><api_key>canary</api_key></xml>' }],
    ['an API key in JSON in a string', { body: JSON.stringify({ api_key: 'canary' }) }],
    ['the secret in a relay’s path', { url: 'https://x.example/relay/r_1/canary' }],
    ['the secret in a page’s path', { url: 'https://x.example/pages/r_1/canary/history' }],
    ['the secret in a response_url', { url: 'https://hooks.slack.com/commands/T1/2/canary' }],
    ['a path and an API key in an error', { err: new Error('POST /relay/r_1/canary failed with api_key=canary') }],
  ])('the log hides a secret and keeps the rest of the line: %s', (_name, fields) => {
    const text = logged((log) => log.warn(fields, 'something'));
    expect(text).not.toContain('canary');
    expect(text).toContain('something');
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it.each(['apiKey', 'api_key', 'token', 'botToken', 'userToken', 'signingSecret', 'clientSecret', 'secret'])(
    'the log hides a field named %s in what is logged, and in two levels of objects below it',
    (name) => {
      const fields = { [name]: 'canary', one: { [name]: 'canary', two: { [name]: 'canary', kept: 'a fact' } } };
      const text = logged((log) => log.warn(fields, 'something'));
      expect(text).not.toContain('canary');
      expect(JSON.parse(text).one.two.kept).toBe('a fact');
    },
  );
});
