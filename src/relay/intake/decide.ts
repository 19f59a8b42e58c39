/** Decision on a new scan: validation, then the rules. Pure, called within the commit; compiled settings are cached. */

import type { RelayRecord } from '../relays/records.js';
import { readSettings } from '../relays/relay.js';
import { retiredSecretNames } from '../relays/secrets/retired-names.js';
import type { RelaySettings } from '../relays/settings.js';
import { countingForRules, createRules, type Rules } from '../rules/index.js';
import type { Counting } from '../scans/counters.js';
import {
  countingForValidation,
  createPrefetch,
  createValidate,
  type Prefetch,
  type PrefetchDeps,
  type Prefetched,
  type Validate,
} from '../validation/index.js';
import type { Decide, RulesPort } from './commit/index.js';
import { createIpAllowList, type IpAllowList } from './ip-allow-list.js';

/** A relay's settings, compiled. */
export interface CompiledRelay {
  readonly settings: RelaySettings;
  /** Undefined: whoever knows the URL may send. */
  readonly networks: IpAllowList | undefined;
  /** Former names of its secret scan property. */
  readonly formerSecrets: readonly string[];
  readonly askAhead: Prefetch;
  readonly validate: Validate;
  readonly rules: Rules;
}

export interface CompiledRelays {
  /**
   * @param settings JSON, as it is stored
   * @throws StoreError `store.record_broken`
   */
  of(relayId: string, settings: string): CompiledRelay;
}

const relaysKept = 10_000;

export function createCompiledRelays(ahead: PrefetchDeps): CompiledRelays {
  const kept = new Map<string, { text: string; mind: CompiledRelay }>();
  return {
    of(relayId, text) {
      const found = kept.get(relayId);
      if (found?.text === text) {
        return found.mind;
      }
      if (kept.size >= relaysKept) {
        kept.clear();
      }
      const settings = readSettings(text);
      const mind: CompiledRelay = {
        settings,
        networks: settings.networks.length > 0 ? createIpAllowList(settings.networks) : undefined,
        formerSecrets: retiredSecretNames(text, settings.names),
        askAhead: createPrefetch(settings, ahead),
        validate: createValidate(settings),
        rules: createRules(settings),
      };
      kept.set(relayId, { text, mind });
      return mind;
    },
  };
}

export function createDecide(minds: CompiledRelays): Decide<Prefetched> {
  return (scan, relay, facts) => {
    const { validate, rules } = minds.of(relay.id, relay.settings);
    const { counts } = facts;
    const verdict = validate({ scan, counts });
    const { posts, memories } = rules.decide({ scan, relay, verdict, counts, facts });
    const { finding, valid, text, at, late, why } = verdict;
    return { finding, valid, text, at, late, why, reply: rules.keptWith(verdict.reply, counts), posts, memories };
  };
}

/** What a commit asks of the relays' rules beside the decision. */
export function createRulesPort(minds: CompiledRelays): RulesPort {
  const rulesOf = (relay: RelayRecord) => minds.of(relay.id, relay.settings).rules;
  return {
    needs: (relay) => rulesOf(relay).needs,
    revise: (before, after, relay, facts) => rulesOf(relay).revise(before, after, relay, facts),
  };
}

export function countingFor(settings: RelaySettings): Counting {
  return { ...countingForRules(settings), ...countingForValidation(settings) };
}
