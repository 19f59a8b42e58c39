/** Block, action and callback ids of the relay settings modals, and their metadata. It never holds a secret. */
import { z } from 'zod';
import { resultCodes } from '../../../relay/index.js';
import { metadata } from '../../bolt/ids.js';
import type { FormActions } from '../../forms/form.js';

export const settingCallbacks = {
  judging: 'relay.judging',
  answers: 'relay.answers',
  answer: 'relay.answer',
  question: 'relay.question',
  rules: 'relay.rules',
  rule: 'relay.rule',
  ruleSaved: 'relay.rule.saved',
  ruleRemove: 'relay.rule.remove',
  security: 'relay.security',
} as const;

export const settingActions = {
  judging: 'relay.judging',
  answers: 'relay.answers',
  answer: 'relay.answer',
  questionAdd: 'relay.question.add',
  questionMenu: 'relay.question.menu',
  rules: 'relay.rules',
  ruleAdd: 'relay.rule.add',
  ruleMenu: 'relay.rule.menu',
  rulesBefore: 'relay.rules.before',
  rulesAfter: 'relay.rules.after',
  rulesMatch: 'relay.rules.match',
  security: 'relay.security',
  /** A field that is read on submission. */
  field: 'relay.field',
  /** A field that others depend on: a change redraws the form. */
  redraw: 'relay.redraw',
  /** A button that expands a form, or redraws it. */
  more: 'relay.more',
  again: 'relay.again',
  zone: 'relay.pick.zone',
  group: 'relay.pick.group',
  /** Followed by the kind of record. */
  pick: 'relay.pick.',
} as const;

/** The actions of a settings form's inputs. */
export const inputActions: FormActions = { field: settingActions.field, rerender: settingActions.redraw };

export const pickKinds = ['database', 'service', 'user', 'device', 'question'] as const;
export type PickKind = (typeof pickKinds)[number];

export function pickAction(kind: PickKind): string {
  return `${settingActions.pick}${kind}`;
}

/** `seen`: the version that the form was opened on (see `etag.ts`). */
const origin = { channel: z.string().optional(), relay: z.string(), seen: z.string().optional() };

/** A modal of one relay. `more`: collapsed fields are shown. `kept`: the stored list does not fit the form. */
export const settingMetadata = metadata(
  z.object({ ...origin, more: z.boolean().optional(), kept: z.boolean().optional() }),
);
export type SettingMetadata = ReturnType<typeof settingMetadata.read>;
export const answerMetadata = metadata(z.object({ ...origin, finding: z.enum(resultCodes) }));
/** `id`: none for a new one. */
export const questionMetadata = metadata(z.object({ ...origin, id: z.string().optional() }));
export const rulesMetadata = metadata(z.object({ ...origin, page: z.number().int().min(0).optional() }));
export const ruleMetadata = metadata(
  z.object({ ...origin, id: z.string().optional(), more: z.boolean().optional(), page: z.number().optional() }),
);

/** A button's value. */
export const answerButtonMetadata = metadata(z.object({ relay: z.string(), finding: z.enum(resultCodes) }), 2000);
