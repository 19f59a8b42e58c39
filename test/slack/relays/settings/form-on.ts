/** The forms of a relay's settings on settings that no store holds, and their errors when they are submitted. */

import type { Relay, RelaySettings } from '../../../../src/relay/index.js';
import { defaultSettings } from '../../../../src/relay/record/settings.js';
import type { ModalView } from '../../../../src/slack/block-kit/elements.js';
import { createRerenders } from '../../../../src/slack/forms/rerender.js';
import type { FormScope } from '../../../../src/slack/forms/settings-form.js';

const noPreview = { scans: 0, recorded: 0, changed: [], unsure: 0, byReading: 0 };

/** What a form is opened with, by a relay with these settings. */
export function formOn(settings: RelaySettings, relay: Partial<Relay> = {}, preview: object = noPreview): FormScope {
  const stored = { id: 'r1', serviceIds: [], serviceName: 'Gate A', channel: 'C1', notable: 'all', ...relay, settings };
  return {
    deps: {
      relays: { get: async () => ({ relay: stored }) },
      relayStatus: { previewValidation: async () => preview },
      clock: { now: () => 0 },
      rerenders: createRerenders(),
    },
    actor: { owner: { installation: 'T1', team: 'T1' } },
    person: { zone: 'Europe/Berlin' },
  } as unknown as FormScope;
}

interface Submitted {
  readonly submitted: { readonly spec: { fields(form: never): unknown } };
}

/** The errors of a form of the default settings that is submitted with these values. */
export function submittedErrors({ submitted }: Submitted, values: object): Readonly<Record<string, string>> {
  const form = { view: { state: { values } }, metadata: { relay: 'r1' }, deps: {} };
  const read = submitted.spec.fields(form as never) as { readonly errors?: Record<string, string> };
  return read.errors ?? {};
}

export const openOn = (
  form: { open(context: FormScope, keys: { readonly relay: string }): Promise<ModalView> },
  settings: Partial<RelaySettings>,
) => form.open(formOn({ ...defaultSettings, ...settings }), { relay: 'r1' });
