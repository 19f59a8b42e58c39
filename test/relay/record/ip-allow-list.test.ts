import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createIpAllowList, networkProblem, senderOf } from '../../../src/relay/record/ip-allow-list.js';

const request = (
  remoteAddress: string | undefined,
  forwarded?: string,
): Pick<IncomingMessage, 'socket' | 'headers'> => ({
  socket: { remoteAddress } as IncomingMessage['socket'],
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
});

describe('networks', () => {
  it.each(['192.0.2.7', '192.0.2.0/24', '0.0.0.0/0', '2001:db8::/32', '::1', '::ffff:10.0.0.0/104', ' 10.0.0.1 '])(
    'the allow list accepts the network %s',
    (text) => expect(networkProblem(text)).toBeUndefined(),
  );

  it.each([
    '',
    'example.com',
    '192.0.2.0/33',
    '2001:db8::/129',
    '192.0.2',
    '10.0.0.0/',
    '10.0.0.0/a',
    '::ffff:10.0.0.0/8',
    '1.2.3.4:80',
  ])('the allow list refuses the network %j', (text) => expect(networkProblem(text)).toBeDefined());

  it.each([
    ['192.0.2.7', true],
    ['192.0.3.7', false],
    ['2001:db8:1::9', true],
    ['2001:db9::1', false],
    ['198.51.100.4', true],
    ['198.51.100.5', false],
    ['10.20.30.40', true],
    ['not an address', false],
  ])('the allow list says whether one of its networks contains %j: %s', (address, within) => {
    const networks = createIpAllowList(['192.0.2.0/24', '2001:db8::/32', '198.51.100.4', '::ffff:10.0.0.0/104']);
    expect(networks.has(address)).toBe(within);
  });
});

describe('the address a request comes from', () => {
  const proxies = createIpAllowList(['10.0.0.0/8', '::1']);

  it.each([
    ['the connecting address, where no proxy forwards', '192.0.2.7', undefined, '192.0.2.7'],
    ['an IPv4 address, where the connection writes that address as IPv6', '::ffff:192.0.2.7', undefined, '192.0.2.7'],
    [
      'the connecting address, whatever the header of an untrusted sender claims',
      '192.0.2.7',
      '203.0.113.1',
      '192.0.2.7',
    ],
    ['the address that the proxy names', '10.1.2.3', '203.0.113.1', '203.0.113.1'],
    [
      'the last address that is no trusted proxy, not the first address of the header',
      '10.1.2.3',
      '8.8.8.8, 203.0.113.1, 10.9.9.9',
      '203.0.113.1',
    ],
    ['an IPv6 address without its brackets and port', '::1', '[2001:db8::5]:4711', '2001:db8::5'],
    ['an IPv4 address without its port', '::1', '203.0.113.1:4711', '203.0.113.1'],
    ['unknown, where an address in the chain cannot be parsed', '10.1.2.3', '203.0.113.1, unknown', undefined],
    ['the proxy’s own address, where the proxy names no client', '10.1.2.3', '', '10.1.2.3'],
    ['unknown, where the connection has no address any more', undefined, undefined, undefined],
  ])('the client’s IP address behind trusted proxies is %s', (_, remote, forwarded, sender) => {
    expect(senderOf(request(remote, forwarded), proxies)).toBe(sender);
  });
});
