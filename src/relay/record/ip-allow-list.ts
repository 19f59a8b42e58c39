/** IP allow list, and the sender's address. `X-Forwarded-For` is only believed from a configured proxy. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * The fault in a text that should be an address or a network (`10.0.0.0/8`, `2001:db8::/32`, `192.0.2.7`); undefined:
 * none.
 */
export function networkProblem(text: string): string | undefined {
  return parse(text) ? undefined : 'neither an address nor a network like 192.0.2.0/24';
}

/** An IP allow list. It skips invalid networks, which the settings of the relay and of the process reject. */
export function createIpAllowList(texts: readonly string[]) {
  if (texts.length === 0) {
    return { has: () => false };
  }
  const blockList = new BlockList();
  for (const text of texts) {
    const network = parse(text);
    if (network) {
      blockList.addSubnet(network.address, network.prefix, network.family);
    }
  }
  return {
    has(address: string): boolean {
      const family = isIP(address);
      return family !== 0 && blockList.check(address, family === 4 ? 'ipv4' : 'ipv6');
    },
  };
}

export type IpAllowList = ReturnType<typeof createIpAllowList>;

/**
 * The request's IP address, as far as it can be trusted: the last one in the chain that is not a configured proxy, or
 * the first one where all are. Undefined if one of the addresses up to there cannot be parsed.
 */
export function senderOf(req: Pick<IncomingMessage, 'socket' | 'headers'>, proxies: IpAllowList): string | undefined {
  let address = bareAddress(req.socket.remoteAddress ?? '');
  if (address === undefined || !proxies.has(address)) {
    return address;
  }
  const header = req.headers['x-forwarded-for'];
  const chain = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .filter((hop) => hop.trim() !== '');
  for (const hop of chain.reverse()) {
    address = bareAddress(hop.trim());
    if (address === undefined || !proxies.has(address)) {
      return address;
    }
  }
  return address;
}

function parse(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [, givenAddress = '', length] = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const address = isIP(givenAddress) === 0 ? undefined : bareAddress(givenAddress);
  if (address === undefined) {
    return undefined;
  }
  const kind = isIP(address);
  const longest = kind === 4 ? 32 : 128;
  // The prefix length of an IPv4-mapped network counts IPv6's bits.
  const prefix = length === undefined ? longest : Number(length) - (kind === 4 && isIP(givenAddress) === 6 ? 96 : 0);
  return prefix >= 0 && prefix <= longest ? { address, prefix, family: kind === 4 ? 'ipv4' : 'ipv6' } : undefined;
}

/** The address without a port, brackets or an interface; IPv4-mapped IPv6 as IPv4. */
function bareAddress(text: string): string | undefined {
  const unbracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  const address = unbracketed.replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return isIP(mapped) === 0 ? undefined : mapped;
}
