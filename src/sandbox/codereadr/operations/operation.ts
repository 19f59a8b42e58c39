/**
 * The interface of an operation's handler: it reads variables and answers with XML children. It refuses
 * a call by throwing a `Refusal` with a code of docs/account-api.md.
 */
import type { Clock, Random } from '../../../clock.js';
import type { Access, Account } from '../access.js';
import type { Faults } from '../faults.js';
import type { Imports } from '../imports.js';
import type { ReceivedCall, ReceivedFile } from '../request/read-call.js';
import type { Variables } from '../request/variables.js';
import type { Sql } from '../store/sqlite.js';
import type { Xml } from '../xml/write.js';

export interface Call {
  readonly account: Account;
  readonly variables: Variables;
  readonly encoding: ReceivedCall['encoding'];
  /** The files by variable name. A file is deleted once the call is answered, unless a handler has moved it. */
  readonly files: ReadonlyMap<string, ReceivedFile>;
  readonly sql: Sql;
  readonly clock: Clock;
  readonly random: Random;
  readonly access: Access;
  readonly imports: Imports;
  readonly faults: Faults;
}

export interface Image {
  readonly type: 'image/gif' | 'image/png' | 'image/jpeg';
  readonly bytes: Uint8Array;
}

export type Handler = (call: Call) => readonly Xml[] | Image | Promise<readonly Xml[] | Image>;

/** A section's handlers, by action. */
export type Section = Readonly<Record<string, Handler>>;
