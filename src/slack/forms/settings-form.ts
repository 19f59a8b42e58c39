/**
 * The window of a form: opened on what is stored, redrawn with what was entered, read before Slack's deadline, saved
 * unless its part was changed meanwhile. No error and no conflict loses what was entered: the form is shown again.
 */
import { hash } from 'node:crypto';
import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import { blockNamed } from '../block-kit/block-names.js';
import { type Block, type ModalView, modalView } from '../block-kit/elements.js';
import { noticeBlocks, type ViewNotice } from '../block-kit/notice.js';
import { bold, elementsOf, type Line, textMessage } from '../block-kit/text.js';
import { SlackError } from '../bolt/errors.js';
import { decode, encode, origin } from '../bolt/metadata.js';
import type { RequiredRole } from '../bolt/people/permissions.js';
import { savingView } from '../bolt/problem/loading.js';
import type { BaseContext, ModalActionContext, ViewContext } from '../bolt/routing/context.js';
import { action, type Listener, modal } from '../bolt/routing/listeners.js';
import { openedModal } from '../bolt/routing/modal.js';
import { refreshBelow } from '../bolt/routing/modal-below.js';
import type { Form } from './form.js';
import { drawnState, type Errors, type FormState, formStateIn } from './view-state.js';

/** A reason why a valid form is not saved, as sentences for the person. `field`: the one above which it is shown. */
export class FormProblem extends Error {
  /** The code under which the audit log has the refusal. */
  readonly code: string = 'slack.settings_refused';

  constructor(
    line: string,
    readonly field?: string,
    options?: ErrorOptions,
  ) {
    super(line, options);
  }
}

/** Somebody else saved what the form shows while it was open. */
export class EditConflictError extends FormProblem {
  override readonly code = 'slack.changed_meanwhile';

  constructor() {
    super(
      'Not saved: this was changed while your form was open. Save again to overwrite the change, or close and reopen the form to see it.',
    );
  }
}

/** The letters that a version tag keeps of its hash: enough to tell versions apart. */
const letters = 12;

export function versionOf(part: unknown): string {
  return hash('sha256', JSON.stringify(part ?? null), 'base64url').slice(0, letters);
}

/** @throws EditConflictError if the part differs from the version that the form was opened on, where there is one */
export function assertUnchanged(part: unknown, version: string | undefined): void {
  if (version !== undefined && version !== versionOf(part)) {
    throw new EditConflictError();
  }
}

/** `seen`: the version that the form was opened on. `more`: the fields behind *More* are shown. */
export const formOrigin = { ...origin, seen: z.string().optional(), more: z.boolean().optional() };
export type FormKeys = z.output<z.ZodObject<typeof formOrigin>>;

export type FormScope = Pick<BaseContext, 'deps' | 'actor' | 'person' | 'client' | 'reference'>;

/** Why a form is drawn again. `clicked`: the `action_id` of the click in it. */
interface Redraw {
  readonly clicked?: string;
  readonly problem?: FormProblem;
  /** `field`: the block above which it is shown; the first, if unset. */
  readonly notice?: ViewNotice & { readonly field?: string };
}

/** What was entered. It is valid if there are no errors. */
export interface Read<Values> {
  readonly values: Values;
  readonly errors: Errors;
}

export interface Shown<Source, Subject, Keys, Values> extends Redraw {
  readonly source: Source;
  readonly context: FormScope;
  readonly subject: Subject;
  readonly keys: Keys;
  readonly state?: FormState;
  /** The blocks of the form as the person sees it, in their order; none when it is opened. */
  readonly seenBlocks: readonly string[];
  /** What was entered, once something was, and the initial values of the fields that are drawn for the first time. */
  readonly read?: Read<Values> | undefined;
}

/** `here`: the view in place of the form. */
export interface Outcome extends ViewNotice {
  readonly here?: ModalView;
}

export interface SettingsForm<Draft, Source, Values, Subject, Keys extends FormKeys> {
  /** The `callback_id`. */
  readonly id: string;
  readonly title: string | ((keys: Keys) => string);
  readonly submit?: (keys: Keys) => string;
  readonly close?: (keys: Keys) => string;
  /** What a form that stays shows while it is saved. */
  readonly saving?: ModalView;
  /** Who may open and save the form. */
  readonly role?: RequiredRole;
  /** What the form keeps of itself: what names its subject. */
  readonly metadata: z.ZodType<Keys>;
  load(context: FormScope, keys: Keys): Promise<Subject>;
  /** Keys that follow from the subject. */
  facts?(subject: Subject, keys: Keys): Partial<Keys>;
  form(keys: Keys): Pick<Form<never, Source>, 'nameOf'> & {
    draft(source: Source): Draft;
    entered(state: FormState, before: NoInfer<Draft>): NoInfer<Draft>;
    read(state: FormState, errors: Errors): Values;
  };
  /** What the form is opened on. */
  source(subject: Subject, keys: Keys, context: FormScope): NoInfer<Source> | Promise<NoInfer<Source>>;
  /** What the form overwrites; undefined where that is nothing. */
  part?(subject: Subject, keys: Keys): unknown;
  draw(
    draft: Draft,
    shown: Shown<NoInfer<Source>, Subject, Keys, NoInfer<Values>>,
  ): readonly Block[] | Promise<readonly Block[]>;
  check?(
    values: Values,
    problem: (field: string, text: string) => void,
    form: { readonly keys: Keys; readonly state: FormState; readonly deps: FormScope['deps'] },
  ): void;
  /** Whether the form stays while it is saved, and shows the outcome; otherwise it closes at once. */
  stays?(values: Values): boolean;
  /** Undefined: the outcome, or a further step from which *Back* leads here, is shown already. @throws FormProblem */
  save(context: ViewContext<Keys>, values: Values): Promise<Outcome | undefined>;
  /** The window below, with the outcome. */
  below?(context: FormScope, keys: Keys, notice: ViewNotice): Promise<ModalView>;
}

/** The `action_id` of the buttons that show the fields behind *More*. */
export const moreAction = 'relay.more';

export const missingFields = 'Not saved yet. Fill in the fields that your choice added, then save again.';

export function settingsForm<Draft, Source, Values, Subject, Keys extends FormKeys>(
  spec: SettingsForm<Draft, Source, Values, Subject, Keys>,
) {
  const { metadata } = spec;
  const titleOf = (keys: Keys) => (typeof spec.title === 'string' ? spec.title : spec.title(keys));

  function read(state: FormState, keys: Keys, deps: FormScope['deps']): Read<Values> {
    const errors: Errors = {};
    const form = spec.form(keys);
    const values = form.read(state, errors);
    spec.check?.(values, (field, text) => (errors[form.nameOf(field as never)] ??= text), { keys, state, deps });
    return { values, errors };
  }

  async function draw(context: FormScope, given: Keys, redraw: Redraw = {}, view?: ViewOutput): Promise<ModalView> {
    const { clicked, problem } = redraw;
    const state = view && formStateIn(context.deps.rerenders.remembered(view));
    const notice = problem ? { problem: problem.message, field: problem.field } : (redraw.notice ?? {});
    const subject = await spec.load(context, given);
    const part = spec.part?.(subject, given);
    const keys: Keys = {
      ...given,
      ...spec.facts?.(subject, given),
      more: given.more === true || clicked?.endsWith('.more') || undefined,
      seen: given.seen ?? (part === undefined ? undefined : versionOf(part)),
    };
    const form = spec.form(keys);
    const source = await spec.source(subject, keys, context);
    const stored = form.draft(source);
    const drawn = (entered?: FormState) =>
      spec.draw(state ? form.entered(state, stored) : stored, {
        ...redraw,
        context,
        subject,
        keys,
        source,
        seenBlocks: (view?.blocks ?? []).flatMap(({ block_id: id }) => id ?? []),
        ...(state && entered ? { state, read: read(entered, keys, context.deps) } : {}),
      });
    const before = await drawn(state);
    const isNew = ({ type, block_id: id = '' }: Block) => type === 'input' && !(id in view!.state.values);
    // A field's initial value counts as entered from the drawing on that first shows it.
    const blocks = view && before.some(isNew) ? await drawn(drawnState(view, before)) : before;
    const { field } = notice;
    const above = field === undefined ? undefined : form.nameOf(field as never);
    const at = blocks.findIndex(({ block_id: id = '' }) => above !== undefined && blockNamed([id], above));
    return modalView(titleOf(keys), blocks.toSpliced(Math.max(0, at), 0, ...noticeBlocks(notice)), {
      callback_id: spec.id,
      submit: spec.submit?.(keys) ?? 'Save',
      ...(spec.close ? { close: spec.close(keys) } : {}),
      private_metadata: encode(metadata, keys),
    });
  }

  const redrawn = (context: FormScope & { readonly view: ViewOutput; readonly metadata: Keys }, redraw: Redraw = {}) =>
    draw(context, context.metadata, redraw, context.view);

  async function save(context: ViewContext<Keys>, { values, stays }: { values: Values; stays: boolean }) {
    const { view, metadata: keys } = context;
    const below = view.previous_view_id;
    const show = async (shown: ModalView, ...lines: readonly Line[]) => {
      const window = stays ? context.modal : below ? openedModal(context, below) : undefined;
      if (!(await window?.showOutcome(shown))) {
        await context.postPrivately(textMessage(...lines));
      }
    };
    let outcome: Outcome | undefined;
    try {
      outcome = await spec.save(context, values);
    } catch (error) {
      if (!(error instanceof FormProblem)) {
        throw error;
      }
      const again = error instanceof EditConflictError ? { ...keys, seen: undefined } : keys;
      const shown = await redrawn({ ...context, metadata: again }, { problem: error });
      return show(shown, [bold(`${titleOf(keys)}: not saved.`)], error.message);
    }
    if (outcome) {
      context.deps.rerenders.forget(view.id);
      const { here, ...notice } = outcome;
      if (stays && below && spec.below) {
        await refreshBelow(context, below, () => spec.below!(context, keys, notice));
      }
      const fresh = () => draw(context, { ...keys, seen: undefined }, { notice });
      const made = here ?? (await (spec.below && !(stays && below) ? spec.below(context, keys, notice) : fresh()));
      await show(made, [`${titleOf(keys)}: `, ...elementsOf(notice.done ?? '')]);
    }
  }

  return {
    id: spec.id,
    metadata,
    /** `shown`: why the form is opened once more. */
    open: (context: FormScope, keys: Omit<Keys, 'channel'>, shown?: Pick<Redraw, 'problem' | 'notice'>) =>
      draw(context, { channel: context.actor.channelId, ...keys } as Keys, shown),
    redrawn,
    save,
    submitted: modal<{ readonly values: Values; readonly stays: boolean }, z.ZodType<Keys>>(spec.id, {
      role: spec.role ?? 'manager',
      metadata,
      fields({ deps, view, metadata: keys }) {
        const entered = read(formStateIn(view), keys, deps);
        if (Object.keys(entered.errors).length > 0) {
          return { errors: entered.errors };
        }
        const stays = spec.stays?.(entered.values) || !view.previous_view_id;
        const input = { values: entered.values, stays };
        return stays ? { show: spec.saving ?? savingView(titleOf(keys)), input } : { close: 'this', input };
      },
      redraw: (context) => redrawn(context, { problem: new FormProblem(missingFields) }),
      run: (context, input) => save(context, input),
    }),
  };
}

interface AnyForm {
  readonly id: string;
  readonly metadata: z.ZodType;
  redrawn(context: never, redraw: Redraw): Promise<ModalView>;
}

/** The listener of choices and buttons that draw the form around them again. */
export function redraws(ids: readonly string[], forms: readonly AnyForm[]): Listener {
  return action(ids, {
    role: 'manager',
    metadata: z.unknown(),
    run: (context: ModalActionContext) =>
      context.deps.rerenders.draw(context, () => {
        const { view } = context.inside;
        const form = forms.find(({ id }) => id === view.callback_id);
        if (!form) {
          throw new SlackError('slack.state', `unknown callback_id: ${view.callback_id}`);
        }
        const metadata = decode(form.metadata, view.private_metadata, view.callback_id);
        return form.redrawn({ ...context, view, metadata } as never, { clicked: context.action.action_id });
      }),
  });
}
