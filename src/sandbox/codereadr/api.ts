/**
 * The types of the scanner's HTTP API, with which the demo page, scripts and tests scan as a phone does. JSON under
 * `/scanner/`, beside the account's `/api/`. An error is HTTP 4xx with `{ "error": "code", "why": "…" }`.
 */

/*
 * GET  /scanner/state                               -> ScannerState: services, users, devices, sample barcodes
 * POST /scanner/scan    ScanRequest                 -> ScanResult
 * POST /scanner/answer  { pending_id, answers }     -> ScanResult: the second submit, with the answers to `asks`
 * GET  /scanner/kept?device_id=D                    -> { kept: KeptScan[] }: scans stored on a device
 * POST /scanner/upload  { device_id }               -> { results: ScanResult[] }: sends the stored scans again
 * GET  /scanner/faults                              -> FaultState: the faults to come
 * POST /scanner/faults  Partial<FaultState>         -> FaultState; a restart clears all up to `api_key_refused`
 */

export interface ScannerState {
  readonly services: readonly {
    readonly id: string;
    readonly name: string;
    readonly validation_method: string;
    /** The URL without its secret; empty where there is none. services/update refuses a URL with `…` in it (221). */
    readonly postback_url: string;
    readonly direct: boolean;
    /** Barcodes to pick from, each with the expected result. */
    readonly samples: readonly { readonly value: string; readonly hint: string }[];
    readonly questions: readonly {
      readonly id: string;
      readonly text: string;
      readonly type: string;
      readonly options: readonly string[];
      /** The moment of the question: `shared_submit`, `pre_submit`, `post_submit`, `valid_scan`, `invalid_scan`. */
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
  /** The barcode: 1 to 10,000 characters without NUL. */
  readonly value: string;
  /** The answers, by question id. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly properties?: Readonly<Record<string, string>>;
  /** The scan's time, `YYYY-MM-DD HH:mm:ss` UTC; default now. It serves to repeat a scan, or to make a late one. */
  readonly scanned_at?: string;
}

export interface ScanResult {
  /** The result on the device's screen. `kept`: the device got no answer and stores the scan. */
  readonly shown: {
    readonly kind: 'valid' | 'invalid' | 'kept' | 'recorded';
    readonly title: string;
    readonly text: string;
    /** The form in which the device shows `text`: as text, as an HTML page, or by loading the URL it contains. */
    readonly as: 'text' | 'page' | 'address';
  };
  readonly scan_id?: string;
  /** The request to the service's URL and its response; absent where nothing was posted. Of two requests, the last. */
  readonly posted?: {
    /** The URL without its secret. */
    readonly url: string;
    readonly http_status?: number;
    readonly body?: string;
    readonly error?: string;
  };
  /** The questions that the device asks now; the answers go to `/scanner/answer`. */
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
  /** The scan got no answer, or its service uploads only on request. */
  readonly why: 'no_answer' | 'not_uploaded';
}

export interface FaultState {
  /**
   * Faults of later API calls, first match first. `slow`: a good answer after `delay_ms`; the other faults take a
   * `delay_ms` too. `html`: an HTML page with 200. `truncated`, `empty`: the body cut or gone. `500`: an HTML page with
   * 500. `reset`: the connection breaks instead of an answer. In all of these the call takes effect, as it may in
   * reality. `refused`: the error `code` (default 2), and the call has no effect.
   */
  readonly next: readonly {
    /** The operation as `section/action`; default every operation. */
    readonly operation?: string;
    readonly times: number;
    readonly as: 'slow' | 'html' | 'truncated' | 'empty' | '500' | 'reset' | 'refused';
    readonly delay_ms?: number;
    readonly code?: string;
  }[];
  /** Whether `uploads/retrieve` answers with unclosed `<upload …>` tags, as the reference shows. */
  readonly unclosed_uploads: boolean;
  /** The number of responses from services' URLs to lose: the request arrives, the device gets no answer. */
  readonly lost_answers: number;
  /** Whether every key is refused with 100. */
  readonly api_key_refused: boolean;
  /** Whether the demo account is on the free plan: every call is then refused with 10. */
  readonly free_plan: boolean;
  /** Whether the demo account may call by GET. */
  readonly get_allowed: boolean;
  /** The limit of calls a minute; -1: unlimited. */
  readonly minute_limit: number;
  readonly day_limit: number;
  readonly minute_left: number;
  readonly day_left: number;
}
