/** Loads the names that a post needs: of its scan, its silent sources and the services it counts. */
import type { Post } from '../../relay/index.js';
import type { PostNames } from './blocks/relay-post.js';
import type { FindScanNames } from './scan-names.js';

/** As many as a line of services shows. */
const maxServices = 6;

export function createPostNames({ find: findNames, cached }: FindScanNames): (post: Post) => Promise<PostNames> {
  return async (post) => {
    switch (post.kind) {
      case 'scan': {
        const { owner, scan } = post;
        const accepted = scan.earlier?.accepted;
        const names = await findNames(owner, scan);
        return { scan: names, services: new Map(), ...(accepted ? { earlier: await cached(owner, accepted) } : {}) };
      }
      case 'burst':
        return { scan: await findNames(post.owner, post.scan), services: new Map() };
      case 'silence': {
        const { of, id } = post.silence;
        const source = id === undefined ? {} : of === 'device' ? { udid: id } : { sid: id };
        return { scan: await findNames(post.owner, source), services: new Map() };
      }
      case 'digest':
      case 'card': {
        const services = new Map<string, string>();
        for (const { serviceId } of post.tally.services.slice(0, maxServices)) {
          // One list of the account's services is enough for all of them.
          const name = serviceId === undefined ? undefined : (await findNames(post.owner, { sid: serviceId })).service;
          if (serviceId !== undefined && name !== undefined) {
            services.set(serviceId, name);
          }
        }
        return { scan: {}, services };
      }
    }
  };
}
