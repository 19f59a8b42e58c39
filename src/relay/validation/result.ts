/** Types of validation: what is prefetched, the input, the result. */
import type { Counts } from '../../counters/counters.js';
import type { ScanKind } from '../../scans/received/received-scan-rows.js';
import type { IncomingScan } from '../commit/index.js';
import type { UncheckedReason } from '../record/relay.js';
import type { ResultCode } from '../record/settings.js';

export type KnownValue =
  | {
      readonly kind: 'known';
      readonly valid: boolean;
      readonly response: string;
      /** The database's name, or its id where no name is known. */
      readonly database: string;
    }
  /** Every database was searched, and none has the value. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: UncheckedReason };

export interface Prefetched {
  /** What the searched databases know of the value; undefined: none was searched. */
  readonly known?: KnownValue;
}

export interface ValidationResult {
  readonly finding: ResultCode;
  readonly kind: ScanKind;
  readonly valid: boolean;
  /** The answer's text; for a page, the text within the page. */
  readonly text: string;
  /** The moment at which the scan counts: when a late scan was made, when any other came (devices' clocks differ). */
  readonly at: number;
  readonly late: boolean;
  readonly why?: UncheckedReason;
  /** The rest of the device's answer as JSON; see `xml-response.ts`. */
  readonly reply?: string;
}

export interface ValidateInput {
  readonly scan: IncomingScan<Prefetched>;
  /** The relay's counts before this scan. */
  readonly counts: Counts;
}

/** Validates a scan. Called within the commit: no promise, nothing slow. */
export type Validate = (input: ValidateInput) => ValidationResult;
