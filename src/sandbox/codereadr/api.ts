/**
 * Owns the scanner's own HTTP API, by which the demo page, scripts and tests scan as a phone does. JSON in, JSON out, under
 * `/scanner/` beside the account's `/api/`. A refusal is HTTP 4xx with `{ "error": "code", "why": "…" }`.
 *
 *   GET  /scanner/state                -> ScannerState      what can be picked: services, users, devices, a few barcodes each
 *   POST /scanner/scan    ScanRequest  -> ScanResult
 *   POST /scanner/answer  { pending_id, answers } -> ScanResult   the second submit: answers to what `asks` asked
 *   GET  /scanner/kept?device_id=D     -> { kept: KeptScan[] }   scans a device keeps because nobody answered them
 *   POST /scanner/upload  { device_id }-> { results: ScanResult[] }  sends the kept ones again
 *   GET  /scanner/faults               -> FaultState        what goes wrong next
 *   POST /scanner/faults  Partial<FaultState> -> FaultState      for tests and demos; a restart forgets `next` and the flags
 */

export interface ScannerState {
  readonly services: readonly {
    readonly id: string;
    readonly name: string;
    readonly validation_method: string;
    /** Without its secret; empty where there is none. A URL with `…` in it is refused by services/update (221). */
    readonly postback_url: string;
    readonly direct: boolean;
    /** Barcodes to pick from, each with what to expect. */
    readonly samples: readonly { readonly value: string; readonly hint: string }[];
    readonly questions: readonly {
      readonly id: string;
      readonly text: string;
      readonly type: string;
      readonly options: readonly string[];
      /** When it is asked: `shared_submit`, `pre_submit`, `post_submit`, `valid_scan`, `invalid_scan`. */
      readonly condition: string;
      readonly required: boolean;
    }[];
  }[];
  readonly users: readonly { readonly id: string; readonly name: string }[];
  readonly devices: readonly { readonly id: string; readonly name: string }[];
  /** One of the account's API keys, for the demo's hint where to find one. */
  readonly api_key: string;
}

export interface ScanRequest {
  readonly service_id: string;
  readonly device_id: string;
  readonly user_id: string;
  /** The barcode, any string without NUL. */
  readonly value: string;
  /** By question id. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly properties?: Readonly<Record<string, string>>;
  /** `YYYY-MM-DD HH:mm:ss` UTC; now where absent. To repeat a scan, or to make a late one. */
  readonly scanned_at?: string;
}

export interface ScanResult {
  /** What the device shows. `kept`: nobody answered, the device keeps the scan. */
  readonly shown: {
    readonly kind: 'valid' | 'invalid' | 'kept' | 'recorded';
    readonly title: string;
    readonly text: string;
    /** How the device shows `text`: as it is, as an HTML page, or by loading the address it holds. */
    readonly as: 'text' | 'page' | 'address';
  };
  readonly scan_id?: string;
  /** What was posted to the service's URL and what came back, where it has one. The last post, where there were two. */
  readonly posted?: {
    /** Without its secret. */
    readonly url: string;
    readonly http_status?: number;
    readonly body?: string;
    readonly error?: string;
  };
  /** What the device asks now; the answers go to `/scanner/answer`. */
  readonly asks?: {
    readonly pending_id: string;
    readonly questions: readonly {
      readonly id: string;
      readonly text: string;
      readonly type: string;
      readonly options: readonly string[];
    }[];
  };
}

export interface KeptScan extends ScanRequest {
  readonly scanned_at: string;
  /** Nobody answered it, or its service uploads only when told to. */
  readonly why: 'no_answer' | 'not_uploaded';
}

export interface FaultState {
  /**
   * Calls of the API to come that go wrong, first match first. `slow`: answered well after `delay_ms`; the others take a
   * `delay_ms` too. `html`: an HTML page with 200. `truncated`, `empty`: the body cut or gone. `500`: an HTML page with 500.
   * `reset`: the connection breaks instead of an answer. In all of these the work of the call is done, as it may be in life.
   * `refused`: the error `code` (2 where absent), and nothing is done.
   */
  readonly next: readonly {
    /** `section/action`; every operation where absent. */
    readonly operation?: string;
    readonly times: number;
    readonly as: 'slow' | 'html' | 'truncated' | 'empty' | '500' | 'reset' | 'refused';
    readonly delay_ms?: number;
    readonly code?: string;
  }[];
  /** `uploads/retrieve` answers with unclosed `<upload …>` tags, as the reference shows. */
  readonly unclosed_uploads: boolean;
  /** So many answers of services' URLs get lost: the post arrives, the device never hears of it. */
  readonly lost_answers: number;
  /** Every key is refused with 100. */
  readonly api_key_refused: boolean;
  /** The demo account is on the free plan: every call is refused with 10. */
  readonly free_plan: boolean;
  /** The demo account may call by GET. */
  readonly get_allowed: boolean;
  /** -1: unlimited. */
  readonly minute_limit: number;
  readonly day_limit: number;
  readonly minute_left: number;
  readonly day_left: number;
}
