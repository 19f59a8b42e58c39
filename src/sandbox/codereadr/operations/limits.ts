/** The section `limits`: the calls left. Asking costs a call as well *(guess)*. */
import { element } from '../xml/write.js';
import type { Section } from './operation.js';

export const limits: Section = {
  retrieve: ({ account, access }) => {
    const { minute, day } = access.left(account);
    return [
      element('minute', '', { left: minute.left, limit: minute.limit }),
      element('day', '', { left: day.left, limit: day.limit }),
    ];
  },
};
