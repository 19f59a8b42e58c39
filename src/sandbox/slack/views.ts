/**
 * Open modals (a stack of at most three per person) and published App Homes, with the state of their inputs.
 * Open modals are in memory only: a restart of the workspace acts like a closed browser tab.
 */
import type { Clock, Random } from '../../clock.js';
import type { ShownView } from './api.js';
import type { CheckedView } from './blocks/check.js';
import type { Option } from './choice.js';
import { newId } from './ids.js';
import { SlackRefusal } from './refusal.js';
import { type StateValues, stateOf } from './state.js';
import type { Organisation, TeamRecord } from './world/records.js';
import type { World } from './world/world.js';

export interface ViewRecord {
  readonly id: string;
  readonly team: string;
  readonly user: string;
  readonly root: string;
  readonly previous: string | null;
  /** The channel that was open when the modal opened, for default_to_current_conversation. */
  readonly channel?: string;
  view: CheckedView;
  hash: string;
  state: StateValues;
  errors?: Readonly<Record<string, string>>;
  /** The options that the app offered for external selects, by block and action. */
  readonly offered: Map<string, readonly Option[]>;
}

export interface Views {
  stack(user: string): readonly ViewRecord[];
  /** Finds an open modal or a published Home. */
  find(id: string): ViewRecord | undefined;
  byExternalId(team: string, externalId: string): ViewRecord | undefined;
  home(user: string): ViewRecord | undefined;
  /** Opens a modal as the only one on the stack. @throws SlackRefusal duplicate_external_id */
  open(place: Place, view: CheckedView): ViewRecord;
  /** Pushes a modal on the stack. @throws SlackRefusal push_limit_reached, duplicate_external_id */
  push(place: Place, view: CheckedView): ViewRecord;
  /** Replaces a view. @throws SlackRefusal duplicate_external_id */
  update(record: ViewRecord, view: CheckedView): void;
  publish(team: string, user: string, view: CheckedView): ViewRecord;
  /** Closes the top view and shows the one below it. */
  pop(user: string): void;
  clear(user: string): void;
  /** Removes a team's views when the app is uninstalled. */
  clearTeam(team: string): void;
  save(record: ViewRecord): void;
}

export interface Place {
  readonly team: string;
  readonly user: string;
  readonly channel?: string;
}

const mostViews = 3;

export function createViews(deps: { world: World; clock: Clock; random: Random }): Views {
  const { world, clock, random } = deps;
  const stacks = new Map<string, ViewRecord[]>();
  const homes = new Map<string, ViewRecord>();
  const newHash = () => `${Math.floor(clock.now() / 1000)}.${random.bytes(4).toString('hex')}`;
  const modals = () => [...stacks.values()].flat();

  const byExternalId = (team: string, externalId: string) =>
    modals().find((record) => record.team === team && record.view.external_id === externalId);

  const refuseDuplicate = (team: string, view: CheckedView, itself?: ViewRecord): void => {
    if (typeof view.external_id !== 'string' || view.external_id === '') {
      return;
    }
    const other = byExternalId(team, view.external_id);
    if (other && other !== itself) {
      throw new SlackRefusal('duplicate_external_id');
    }
  };

  const makeView = (place: Place, view: CheckedView, parentView?: ViewRecord): ViewRecord => {
    const id = newId(random, 'V');
    return {
      id,
      ...place,
      root: parentView?.root ?? id,
      previous: parentView?.id ?? null,
      view,
      hash: newHash(),
      state: stateOf(view.blocks, {}, place.channel),
      offered: new Map(),
    };
  };

  const home = (user: string): ViewRecord | undefined => {
    const cachedHome = homes.get(user);
    if (cachedHome) {
      return cachedHome;
    }
    const storedHome = world.home<Omit<ViewRecord, 'offered'>>(user);
    if (!storedHome) {
      return undefined;
    }
    const record: ViewRecord = { ...storedHome, offered: new Map() };
    homes.set(user, record);
    return record;
  };

  const save = (record: ViewRecord): void => {
    if (record.view.type === 'home') {
      const { offered: _, ...storedHome } = record;
      world.saveHome(record.user, storedHome);
    }
  };

  return {
    stack: (user) => stacks.get(user) ?? [],
    find: (id) => modals().find((record) => record.id === id) ?? [...homes.values()].find((record) => record.id === id),
    byExternalId,
    home,
    open(place, view) {
      refuseDuplicate(place.team, view);
      const record = makeView(place, view);
      stacks.set(place.user, [record]);
      return record;
    },
    push(place, view) {
      const stack = stacks.get(place.user) ?? [];
      if (stack.length >= mostViews) {
        throw new SlackRefusal('push_limit_reached');
      }
      refuseDuplicate(place.team, view);
      const record = makeView(place, view, stack.at(-1));
      stacks.set(place.user, [...stack, record]);
      return record;
    },
    update(record, view) {
      refuseDuplicate(record.team, view, record);
      record.view = view;
      record.hash = newHash();
      record.state = stateOf(view.blocks, record.state, record.channel);
      record.errors = undefined;
      record.offered.clear();
      save(record);
    },
    publish(team, user, view) {
      const currentHome = home(user);
      if (currentHome) {
        this.update(currentHome, view);
        return currentHome;
      }
      const record = makeView({ team, user }, view);
      homes.set(user, record);
      save(record);
      return record;
    },
    pop(user) {
      stacks.set(user, (stacks.get(user) ?? []).slice(0, -1));
    },
    clear(user) {
      stacks.delete(user);
    },
    clearTeam(team) {
      for (const [user, stack] of stacks) {
        if (stack[0]?.team === team) {
          stacks.delete(user);
        }
      }
      for (const [user, record] of homes) {
        if (record.team === team) {
          homes.delete(user);
        }
      }
      world.clearHomes(team);
    },
    save,
  };
}

/** The view as views.open and payloads have it. */
export function viewAsSlack(
  record: ViewRecord,
  team: TeamRecord,
  { appId, organisation }: { readonly appId: string; readonly organisation?: Organisation },
): Record<string, unknown> {
  const { view } = record;
  return {
    id: record.id,
    team_id: record.team,
    type: view.type,
    blocks: view.blocks,
    private_metadata: view.private_metadata ?? '',
    callback_id: view.callback_id ?? '',
    state: { values: record.state },
    hash: record.hash,
    title: view.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    clear_on_close: view.clear_on_close ?? false,
    notify_on_close: view.notify_on_close ?? false,
    close: view.close ?? null,
    submit: view.submit ?? null,
    previous_view_id: record.previous,
    root_view_id: record.root,
    app_id: appId,
    external_id: view.external_id ?? '',
    // With an org-wide install, Slack's "team" here is the organization.
    app_installed_team_id: organisation?.id ?? record.team,
    bot_id: team.bot_id,
  };
}

export function viewShown(record: ViewRecord): ShownView {
  return {
    id: record.id,
    type: record.view.type,
    callback_id: typeof record.view.callback_id === 'string' ? record.view.callback_id : '',
    view: record.view,
    hash: record.hash,
    state: record.state,
    ...(record.errors ? { errors: record.errors } : {}),
  };
}
