/**
 * The names that a post needs: of its scan, the source of a silence, the services it counts, linked members and rules.
 * A post never waits long for a name and never fails without one: an unknown id is shown with its kind.
 */
import { namesOfScan, type OwnerNamesDeps, ownerNames } from '../../codereadr/names.js';
import type { NamedKind } from '../../codereadr/types.js';
import type { Owner } from '../../ownership.js';
import type { BurstPost, EscalationPost, Post, ReceivedScan, ReplyPost, SilencePost } from '../../relay/index.js';
import { type Members, nameWithMember } from '../../workspaces/members.js';
import type { Store } from '../../workspaces/types.js';
import type { PersonNames } from '../bolt/people/person-names.js';
import { cachedRuleNames } from '../connection/cached-names.js';
import { readableMembers } from '../connection/linked-members.js';
import type { PostNames } from './blocks/post-names.js';
import type { ScanNames } from './blocks/scan-post.js';
import { peopleIn } from './describe/incident-story.js';

type NamedScan = { readonly [Name in 'sid' | 'userid' | 'udid']?: ReceivedScan[Name] | undefined };

/** How many services are named: as many as a line of services shows. */
const maxServices = 6;

export interface PostNamesDeps extends OwnerNamesDeps {
  readonly store: Pick<Store, 'workspaces' | 'keyv' | 'revise'>;
}

export function createPostNames(deps: PostNamesDeps, findPeople?: PersonNames) {
  /** Fetches unknown names if that is quick; `cached`: never an API call. */
  async function scanNames(owner: Owner, scan: NamedScan, cached = false): Promise<ScanNames> {
    const kinds: NamedKind[] = [
      ...(scan.sid === undefined ? [] : ['services' as const]),
      ...(scan.userid === undefined ? [] : ['users' as const]),
      ...(scan.udid === undefined ? [] : ['devices' as const]),
    ];
    const nameOf = await ownerNames(deps, owner, (names) =>
      cached ? names.cachedNames(kinds) : names.findNames(kinds),
    );
    return namesOfScan(nameOf, scan);
  }

  async function serviceNames(owner: Owner, ids: readonly string[]): Promise<PostNames['services']> {
    const nameOf = await ownerNames(deps, owner, (names) => names.findNames(ids.length > 0 ? ['services'] : []));
    return new Map(
      ids.flatMap((id) => {
        const name = nameOf('service', id);
        return name === undefined ? [] : [[id, name] as const];
      }),
    );
  }

  const namesOf = async (post: Post): Promise<PostNames> => {
    const { owner } = post;
    switch (post.kind) {
      case 'scan': {
        const { scan } = post;
        const accepted = scan.earlier?.accepted;
        const names = await scanNames(owner, scan);
        return {
          scan: names,
          services: noServices,
          ...(accepted ? { earlier: await scanNames(owner, accepted, true) } : {}),
        };
      }
      case 'burst':
        return { scan: {}, services: await serviceNames(owner, incidentServices(post)) };
      case 'silence': {
        const { of, id } = post.silence;
        const source = id === undefined ? {} : of === 'device' ? { udid: id } : { sid: id };
        return { scan: await scanNames(owner, source), services: await serviceNames(owner, incidentServices(post)) };
      }
      case 'reply':
      case 'escalation': {
        const { subject, subjectId } = post.incident;
        const source = subjectId === '' ? {} : subject === 'device' ? { udid: subjectId } : { sid: subjectId };
        return { scan: await scanNames(owner, source), services: await serviceNames(owner, incidentServices(post)) };
      }
      case 'mention':
        return { scan: {}, services: noServices };
      case 'digest':
      case 'card': {
        const ids = post.tally.services.slice(0, maxServices).flatMap(({ serviceId }) => serviceId ?? []);
        return { scan: {}, services: await serviceNames(owner, ids) };
      }
    }
  };
  const find = async (post: Post): Promise<PostNames> => {
    const ids = new Set(post.rules.filter(({ name }) => name === '').map(({ id }) => id));
    const rules = post.relay.settings.rules.filter(({ id }) => ids.has(id));
    const [names, linked, people] = await Promise.all([
      namesOf(post),
      readableMembers(deps, post.owner),
      findPeople?.(post.owner, peopleOf(post)),
    ]);
    return {
      ...(people ? { people } : {}),
      ...withMembers(post, names, linked),
      ...(rules.length === 0 ? {} : { rules: await cachedRuleNames({ deps, actor: post }, rules) }),
    };
  };
  return Object.assign(find, {
    deviceOf: async (owner: Owner, udid: string): Promise<string | undefined> =>
      (await scanNames(owner, { udid })).device,
  });
}

/** Adds the members. A user's name in the post gets the name of the linked member: a mention would call them. */
function withMembers(post: Post, names: PostNames, members: Members): PostNames {
  const withMember = (named: ScanNames, userId: string | undefined): ScanNames => {
    const user = nameWithMember(named.user, userId === undefined ? undefined : members.get(userId));
    return user === undefined ? named : { ...named, user };
  };
  if (post.kind !== 'scan' || members.size === 0) {
    return { ...names, members };
  }
  const { scan } = post;
  const { earlier } = names;
  return {
    ...names,
    members,
    scan: withMember(names.scan, scan.userid),
    ...(earlier ? { earlier: withMember(earlier, scan.earlier?.accepted?.userid) } : {}),
  };
}

/** The services of an incident's scans, of the scan that ended it, and of the scans in its first reply. */
function incidentServices(post: BurstPost | SilencePost | ReplyPost | EscalationPost): string[] {
  const { incident } = post;
  const scans = post.kind === 'reply' && post.reply.part === 'opened' ? post.reply.scans : [];
  const ids = [...Object.keys(incident?.tally.services ?? {}), incident?.endScan?.sid, ...scans.map(({ sid }) => sid)];
  return [...new Set(ids.filter((id) => id !== undefined))];
}

/** The people in the story of an alert that is over, and the relay's creator, whose time zone the story may use. */
function peopleOf(post: Post): readonly string[] {
  if (post.kind !== 'reply' || post.reply.part !== 'over') {
    return [];
  }
  const { incident, relay } = post;
  const rule = relay.settings.rules.find(({ id }) => id === incident.ruleId);
  return [...peopleIn(incident, rule?.escalate), relay.createdBy];
}

const noServices: PostNames['services'] = new Map();
