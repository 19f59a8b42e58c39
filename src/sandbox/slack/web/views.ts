/** The views.* methods: open and push by trigger, update by id and hash, publish by person. */
import { z } from 'zod';
import { type CheckedView, checkView } from '../blocks/check.js';
import { pictureFault } from '../files.js';
import { SlackRefusal } from '../refusal.js';
import { viewAsSlack } from '../views.js';
import { json, str } from './args.js';
import { requireWellFormed } from './content.js';
import { type Caller, type Method, method } from './method.js';

/** The most bytes of a view, as JSON. */
const largestView = 250_000;

/**
 * @throws SlackRefusal view_too_large, invalid_json, missing_scope, invalid_arguments with what is wrong in the view
 */
export function judgeView(
  { core, team, install }: Pick<Caller, 'core' | 'team' | 'install'>,
  view: unknown,
  type: 'modal' | 'home',
): CheckedView {
  if (Buffer.byteLength(JSON.stringify(view ?? null)) > largestView) {
    throw new SlackRefusal('view_too_large');
  }
  requireWellFormed(view);
  const checkedView = checkView(view, core.random);
  const faults = checkedView.ok
    ? viewFaults(checkedView.value, type, pictureFault(core, team.id, checkedView.value.blocks))
    : checkedView.faults;
  if (!checkedView.ok || faults.length > 0) {
    throw new SlackRefusal('invalid_arguments', { response_metadata: { messages: faults } });
  }
  const takesFiles = checkedView.value.blocks.some(
    (block) => (block.element as { type?: string } | undefined)?.type === 'file_input',
  );
  if (takesFiles && !install.scopes.includes('files:read')) {
    throw new SlackRefusal('missing_scope', { needed: 'files:read', provided: install.scopes.join(',') });
  }
  return checkedView.value;
}

export const viewMethods: readonly Method[] = [
  method('views.open', { tier: 100, args: z.strictObject({ trigger_id: str, view: json }) }, (caller, args) => {
    const { core, team } = caller;
    const view = judgeView(caller, args.view, 'modal');
    const { user, channel } = core.triggers.exchange(args.trigger_id, team.id);
    const record = core.views.open({ team: team.id, user, ...(channel === undefined ? {} : { channel }) }, view);
    core.streams.tell(user, { type: 'views' });
    return { view: viewAsSlack(record, team, core) };
  }),

  method('views.push', { tier: 100, args: z.strictObject({ trigger_id: str, view: json }) }, (caller, args) => {
    const { core, team } = caller;
    const view = judgeView(caller, args.view, 'modal');
    const trigger = core.triggers.exchange(args.trigger_id, team.id);
    if (trigger.view === undefined || !core.views.stack(trigger.user).some((one) => one.id === trigger.view)) {
      throw new SlackRefusal('not_found');
    }
    const place = {
      team: team.id,
      user: trigger.user,
      ...(trigger.channel === undefined ? {} : { channel: trigger.channel }),
    };
    const record = core.views.push(place, view);
    core.streams.tell(trigger.user, { type: 'views' });
    return { view: viewAsSlack(record, team, core) };
  }),

  method(
    'views.update',
    {
      tier: 100,
      args: z.strictObject({
        view_id: str.optional(),
        external_id: str.optional(),
        hash: z.string().optional(),
        view: json,
      }),
    },
    (caller, args) => {
      const { core, team } = caller;
      if ((args.view_id === undefined) === (args.external_id === undefined)) {
        throw new SlackRefusal('invalid_arguments', {
          response_metadata: { messages: ['[ERROR] must provide either view_id or external_id'] },
        });
      }
      const record =
        args.view_id === undefined
          ? core.views.byExternalId(team.id, args.external_id ?? '')
          : core.views.find(args.view_id);
      if (!record || record.team !== team.id) {
        throw new SlackRefusal('not_found');
      }
      const view = judgeView(caller, args.view, record.view.type);
      if (args.hash !== undefined && args.hash !== '' && args.hash !== record.hash) {
        throw new SlackRefusal('hash_conflict');
      }
      core.views.update(record, view);
      core.streams.tell(record.user, { type: view.type === 'home' ? 'home' : 'views' });
      return { view: viewAsSlack(record, team, core) };
    },
  ),

  method(
    'views.publish',
    { tier: 100, args: z.strictObject({ user_id: str, view: json, hash: z.string().optional() }) },
    (caller, args) => {
      const { core, team } = caller;
      if (core.manifest.features.app_home?.home_tab_enabled !== true) {
        throw new SlackRefusal('not_enabled');
      }
      const person = core.world.person(args.user_id);
      if (!person || person.team !== team.id) {
        throw new SlackRefusal('user_not_found');
      }
      const view = judgeView(caller, args.view, 'home');
      const currentHome = core.views.home(person.id);
      if (currentHome && args.hash !== undefined && args.hash !== '' && args.hash !== currentHome.hash) {
        throw new SlackRefusal('hash_conflict');
      }
      const record = core.views.publish(team.id, person.id, view);
      core.streams.tell(person.id, { type: 'home' });
      return { view: viewAsSlack(record, team, core) };
    },
  ),
];

function viewFaults(view: CheckedView, type: 'modal' | 'home', picture: string | undefined): string[] {
  return [
    ...(view.type === type ? [] : [`[ERROR] unsupported type: ${view.type} [json-pointer:/view/type]`]),
    ...(picture === undefined ? [] : [picture]),
  ];
}
