/** A form for a part of a relay's settings, on top of the relay's window or of one of its lists. */
import { z } from 'zod';
import type { Relay, RelaySettings } from '../../../relay/index.js';
import type { ModalView } from '../../block-kit/elements.js';
import type { ViewNotice } from '../../block-kit/notice.js';
import type { ActorContext, ViewContext } from '../../bolt/routing/context.js';
import { type FormScope, formOrigin, type SettingsForm, settingsForm } from '../../forms/settings-form.js';
import { relayModal, relayOf } from '../load-views.js';
import { refreshRelay, saved } from './flow.js';
import { type Change, changeSettings } from './save.js';

/** What the forms of a relay's settings keep of themselves. */
export const relayOrigin = { ...formOrigin, relay: z.string() };
type RelayKeys = z.output<z.ZodObject<typeof relayOrigin>>;

interface Spec<Draft, Source, Values, Keys extends RelayKeys>
  extends Omit<SettingsForm<Draft, Source, Values, Relay, Keys>, 'load' | 'save' | 'part' | 'below'> {
  /** The name of the change in the audit log. */
  readonly audit: string;
  /** The settings that the form shows. */
  part(settings: RelaySettings, keys: Keys): unknown;
  /** Completes the values before they are saved. @throws FormProblem */
  prepare?(context: ViewContext<Keys>, values: Values): Promise<Values>;
  /** @throws FormProblem */
  change(settings: RelaySettings, values: Values, keys: Keys, relay: Relay): RelaySettings;
  /** The notice, where it says more than that the form is saved. */
  done?(values: Values): string | undefined;
  /** The view in place of a form that stays. */
  here?(context: FormScope, relay: Relay, values: Values): Promise<ModalView | undefined>;
  /** The list below the form; by default the relay is below. */
  list?(context: ActorContext, keys: Keys, notice: ViewNotice): Promise<ModalView>;
}

export function relaySettingsForm<Draft, Source, Values, Keys extends RelayKeys>(
  spec: Spec<Draft, Source, Values, Keys>,
) {
  return settingsForm<Draft, Source, Values, Relay, Keys>({
    ...spec,
    load: async (context, { relay }) => (await relayOf(context, relay)).relay,
    part: ({ settings }, keys) => spec.part(settings, keys),
    async save(context, entered) {
      const values = (await spec.prepare?.(context, entered)) ?? entered;
      const { metadata: keys, view } = context;
      const opened = { part: (settings: RelaySettings) => spec.part(settings, keys), version: keys.seen };
      const change: Change = (before, relay) => spec.change(before, values, keys, relay);
      const changed = await changeSettings(context, keys.relay, spec.audit, change, opened);
      if (spec.list) {
        await refreshRelay(context, view, keys.relay);
      }
      return { done: spec.done?.(values) ?? saved, here: await spec.here?.(context, changed, values) };
    },
    below: (context, keys, notice) => spec.list?.(context, keys, notice) ?? relayModal(context, keys.relay, notice),
  });
}
