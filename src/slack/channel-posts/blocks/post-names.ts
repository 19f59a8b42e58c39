/** The names that a post shows, as far as they are known. */
import type { NameOf } from '../../../codereadr/types.js';
import type { Members } from '../../../workspaces/members.js';
import type { NamedPerson } from '../../bolt/people/person-names.js';
import type { ScanNames } from './scan-post.js';
import type { ServiceNames } from './tally-lines.js';

export interface PostNames {
  /** Names for the ids in the scan that the post is about. */
  readonly scan: ScanNames;
  /** Names for the ids in the scan that was admitted before. */
  readonly earlier?: ScanNames;
  /** Names of services by id, for counts by service. */
  readonly services: ServiceNames;
  /** The Slack members of the account's users. */
  readonly members?: Members;
  /** The people of the workspace whom the post names, by id. */
  readonly people?: ReadonlyMap<string, NamedPerson>;
  /** The names of the services, users and devices that the post's rules name, as far as known. */
  readonly rules?: NameOf;
}
