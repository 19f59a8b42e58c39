/** Declaration of the section `uploads`. */
import type { Element } from '../xml/xml.js';
import { filterBy, paging } from './common.js';
import { operation } from './operation.js';
import { attribute, childrenNamed, count, integer } from './read.js';

/** A batch of scans uploaded by a device. */
export interface Upload {
  readonly id: string;
  readonly deviceId: string;
  readonly serviceId: string;
  readonly userId: string;
  readonly status: string;
  readonly count?: number;
  /** The time of the upload: `YYYY-MM-DD HH:mm:ss`, in the account's zone *(guess)*. */
  readonly timestamp: string;
}

function upload(element: Element): Upload {
  const scans = integer(attribute(element, 'count'));
  return {
    id: attribute(element, 'id'),
    deviceId: attribute(element, 'device_id'),
    serviceId: attribute(element, 'service_id'),
    userId: attribute(element, 'user_id'),
    status: attribute(element, 'status'),
    timestamp: attribute(element, 'timestamp'),
    ...(scans !== undefined && { count: scans }),
  };
}

export const retrieve = operation('uploads', 'retrieve', {
  title: 'List uploads',
  effect: 'read',
  input: {
    service_id: { ...filterBy('service', 'Find uploads to these services.'), errors: ['131', '200'] },
    device_id: filterBy('device', 'Find uploads from these devices.'),
    user_id: { ...filterBy('user', 'Find uploads by these users.'), errors: ['132', '201', '300'] },
    ...paging,
  },
  output: (root) => {
    const uploads = count(root, 'count');
    return { ...(uploads !== undefined && { count: uploads }), uploads: childrenNamed(root, 'upload').map(upload) };
  },
  notes: 'Documented with unclosed <upload …> tags: both forms are decoded. offset as in scans/retrieve: ambiguous.',
});
