/** What a received scan does not say itself: the names of its ids, and the relay that validated it. */

import { attempt } from '../../codereadr/attempt.js';
import type { Account, CallOptions } from '../../codereadr/types.js';
import type { RelayValidator } from '../../relay/index.js';
import type { AccountNames } from '../../scans/seen-scan.js';
import type { ReceivedRecord } from './received.js';

/** Undefined: it came with its result, or nothing says whether it is valid. */
export function validatedBy(
  { relayId, givenStatus }: ReceivedRecord,
  relays: readonly RelayValidator[],
): string | undefined {
  const given = givenStatus === '1' || givenStatus === '0';
  return !given && relays.some(({ id }) => id === relayId) ? relayId : undefined;
}

/** Names are a help, not the answer: ids are shown where the names cannot be fetched. */
export async function namesFor(
  account: Account,
  records: readonly ReceivedRecord[],
  options: CallOptions,
): Promise<AccountNames> {
  const has = (field: 'serviceId' | 'userId' | 'udid') => records.some((record) => record[field] !== undefined);
  const [services, users, devices] = await Promise.all([
    has('serviceId') ? attempt(account.names.services(options)) : undefined,
    has('userId') ? attempt(account.names.users(options)) : undefined,
    has('udid') ? attempt(account.names.devices(options)) : undefined,
  ]);
  return {
    services: services?.ok ? services.value : [],
    users: users?.ok ? users.value : [],
    devices: devices?.ok ? devices.value : [],
  };
}
