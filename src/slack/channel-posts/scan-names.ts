/**
 * The names that a post needs: of its scan, its silent sources and the services it counts. A post never waits long for
 * a name and never fails without one: an unknown id is shown as it is.
 */

import { namesOfScan, type OwnerNamesDeps, ownerNames } from '../../codereadr/names.js';
import type { NamedKind } from '../../codereadr/types.js';
import type { Owner } from '../../ownership.js';
import type { Post, ReceivedScan } from '../../relay/index.js';
import { namesInRules } from '../connection/cached-names.js';
import type { PostNames } from './blocks/relay-post.js';
import type { ScanNames } from './blocks/scan-post.js';

type NamedScan = { readonly [Name in 'sid' | 'userid' | 'udid']?: ReceivedScan[Name] | undefined };

/** As many as a line of services shows. */
const maxServices = 6;

export function createPostNames(deps: OwnerNamesDeps): (post: Post) => Promise<PostNames> {
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
        return { scan: await scanNames(owner, post.scan), services: noServices };
      case 'silence': {
        const { of, id } = post.silence;
        const source = id === undefined ? {} : of === 'device' ? { udid: id } : { sid: id };
        return { scan: await scanNames(owner, source), services: noServices };
      }
      case 'digest':
      case 'card': {
        const ids = post.tally.services.slice(0, maxServices).flatMap(({ serviceId }) => serviceId ?? []);
        const nameOf = await ownerNames(deps, owner, (names) => names.findNames(ids.length > 0 ? ['services'] : []));
        return {
          scan: {},
          services: new Map(
            ids.flatMap((id) => {
              const name = nameOf('service', id);
              return name === undefined ? [] : [[id, name] as const];
            }),
          ),
        };
      }
    }
  };
  return async (post) => {
    const ids = new Set(post.rules.filter(({ name }) => name === '').map(({ id }) => id));
    const rules = post.relay.settings.rules.filter(({ id }) => ids.has(id));
    const names = await namesOf(post);
    return rules.length === 0 ? names : { ...names, rules: await namesInRules(deps, post.owner, rules) };
  };
}

const noServices: PostNames['services'] = new Map();
