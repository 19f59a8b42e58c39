/**
 * Owns the scanner's own HTTP API, by which the demo page, scripts and tests scan as a phone does. JSON in, JSON out, under
 * `/scanner/` beside the account's `/api/`.
 *
 *   GET  /scanner/state                -> ScannerState      what can be picked: services, users, devices, a few barcodes each
 *   POST /scanner/scan    ScanRequest  -> ScanResult
 *   GET  /scanner/kept?device_id=D     -> { kept: KeptScan[] }   scans a device keeps because nobody answered them
 *   POST /scanner/upload  { device_id }-> { results: ScanResult[] }  sends the kept ones again
 */

export interface ScannerState {
  readonly services: readonly {
    readonly id: string;
    readonly name: string;
    readonly validation_method: string;
    readonly postback_url: string;
    readonly direct: boolean;
    /** Barcodes to pick from, each with what to expect. */
    readonly samples: readonly { readonly value: string; readonly hint: string }[];
    readonly questions: readonly {
      readonly id: string;
      readonly text: string;
      readonly type: string;
      readonly options: readonly string[];
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
}

export interface ScanResult {
  /** What the device shows. `kept`: nobody answered, the device keeps the scan. */
  readonly shown: {
    readonly kind: 'valid' | 'invalid' | 'kept' | 'recorded';
    readonly title: string;
    readonly text: string;
  };
  readonly scan_id?: string;
  /** What was posted to the service's URL and what came back, where it has one. */
  readonly posted?: {
    readonly url: string;
    readonly http_status?: number;
    readonly body?: string;
    readonly error?: string;
  };
}

export interface KeptScan extends ScanRequest {
  readonly scanned_at: string;
}
