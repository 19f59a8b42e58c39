import { describe, expect, it } from 'vitest';
import { hooksOrigin, isTrigger, triggerIdOf, triggerUrlIn } from '../../src/workflows/trigger-url.js';

const slack = 'https://hooks.slack.com';
const good = `${slack}/triggers/T0123456789/3141592653589/c6e6c0d868b3054ca0f4611a5dbadaf1`;

describe('the URL of a webhook trigger', () => {
  it('a trigger’s URL is accepted with spaces around it, which are dropped', () => {
    expect(triggerUrlIn(good, slack)).toBe(good);
    expect(triggerUrlIn(`\n ${good}\t`, slack)).toBe(good);
  });

  it.each([
    ['an empty text', ''],
    ['a URL without https://', 'hooks.slack.com/triggers/T1/2/3'],
    ['plain HTTP', good.replace('https', 'http')],
    ['another host', good.replace('hooks.slack.com', 'hooks.slack.com.example.com')],
    ['an address of the own network', good.replace('hooks.slack.com', '169.254.169.254')],
    ['localhost', good.replace('hooks.slack.com', 'localhost')],
    ['a host that only ends like Slack’s', good.replace('hooks.', 'evilhooks.')],
    ['a host in capitals', good.replace('hooks', 'HOOKS')],
    ['a dot behind the host', good.replace('.com/', '.com./')],
    ['a port', good.replace('.com/', '.com:8443/')],
    ['the usual port, named', good.replace('.com/', '.com:443/')],
    ['a user', good.replace('hooks.', 'user@hooks.')],
    ['the host as a user', `https://hooks.slack.com@10.0.0.1/triggers/T1/2/3`],
    ['the host and a path as a user', `https://hooks.slack.com/triggers/T1/2/3@10.0.0.1/`],
    ['a backslash', good.replace('.com/', '.com\\@10.0.0.1/')],
    ['a query', `${good}?to=http://10.0.0.1`],
    ['a fragment', `${good}#x`],
    ['an incoming webhook', good.replace('triggers', 'services')],
    ['an old workflow’s webhook', good.replace('triggers', 'workflows')],
    ['a path above', good.replace('/T0123456789/', '/../services/')],
    ['an encoded path above', good.replace('/T0123456789/', '/%2e%2e/')],
    ['a part too few', `${slack}/triggers/T1/2`],
    ['a part too many', `${good}/more`],
    ['a slash at the end', `${good}/`],
    ['a line break inside', good.replace('/314', '/\n314')],
    ['a NUL inside', good.replace('/314', '/\u0000314')],
    ['a look-alike letter', good.replace('slack', 'slасk')],
    ['a part of 65 characters', `${slack}/triggers/T1/2/${'a'.repeat(65)}`],
  ])('a text is refused as no trigger’s URL: %s', (_, text) => {
    expect(triggerUrlIn(text, slack)).toBeUndefined();
  });

  it('a trigger’s ID is derived from its URL, which cannot be read from the ID', () => {
    expect(triggerIdOf(good)).toMatch(/^trigger\.[\w-]{22}$/);
    expect(triggerIdOf(good)).toBe(triggerIdOf(good));
    expect(triggerIdOf(`${good}2`)).not.toBe(triggerIdOf(good));
    expect([triggerIdOf(good), 'C0GATE', 'U0ADA', 'D1'].map(isTrigger)).toEqual([true, false, false, false]);
  });

  it.each([
    ['https://slack.com/api/', 'https://hooks.slack.com'],
    ['https://slack-gov.com/api/', 'https://hooks.slack-gov.com'],
    ['http://127.0.0.1:3030/api/', 'http://127.0.0.1:3030'],
    ['https://slack.com.example.com/api/', 'https://slack.com.example.com'],
  ])('with the Web API at %s, a trigger’s URL must begin with %s', (api, origin) => {
    expect(hooksOrigin(api)).toBe(origin);
  });
});
