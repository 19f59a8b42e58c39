/** Decision on a new scan: validation, then the rules. Pure, called within the commit; compiled settings are cached. */
import { LRUCache } from 'lru-cache';
import type { Decide, IncomingScan, RulesPort } from '../commit/index.js';
import { createIpAllowList, type IpAllowList } from '../record/ip-allow-list.js';
import type { RelayRecord } from '../record/records.js';
import { readSettings } from '../record/relay.js';
import { retiredSecretNames } from '../record/retired-secret-names.js';
import type { RelaySettings } from '../record/settings.js';
import { createRules, digests, type Rules } from '../rules/index.js';
import {
  createCountsAround,
  createPrefetch,
  createValidate,
  type LatestScans,
  type Prefetch,
  type PrefetchDeps,
  type Prefetched,
  type Validate,
} from '../validation/index.js';

/** A relay's settings, compiled. */
export interface CompiledRelay {
  readonly settings: RelaySettings;
  /** The addresses from which scans are accepted; undefined: any sender that knows the URL. */
  readonly networks: IpAllowList | undefined;
  /** Retired names of the relay's secret scan property. */
  readonly retiredSecrets: readonly string[];
  readonly prefetch: Prefetch;
  readonly validate: Validate;
  /** The moment around which admissions count: see `RulesPort.countsAround`. */
  readonly countsAround: (scan: IncomingScan) => number | undefined;
  readonly rules: Rules;
}

const maxCached = 10_000;

export function createCompiledRelays(deps: PrefetchDeps & LatestScans) {
  const cached = new LRUCache<string, { text: string; compiled: CompiledRelay }>({ max: maxCached });
  return {
    /**
     * Compiles a relay's settings. @param text the settings as stored JSON
     * @throws StoreError `store.record_broken`
     */
    compile(relayId: string, text: string): CompiledRelay {
      const cachedRelay = cached.get(relayId);
      if (cachedRelay?.text === text) {
        return cachedRelay.compiled;
      }
      const settings = readSettings(text);
      const compiled: CompiledRelay = {
        settings,
        networks: settings.networks.length > 0 ? createIpAllowList(settings.networks) : undefined,
        retiredSecrets: retiredSecretNames(text, settings.names),
        prefetch: createPrefetch(settings, deps),
        validate: createValidate(settings, deps),
        countsAround: createCountsAround(settings, deps),
        rules: createRules(settings),
      };
      cached.set(relayId, { text, compiled });
      return compiled;
    },
  };
}

export type CompiledRelays = ReturnType<typeof createCompiledRelays>;

export function createDecide(compiledRelays: CompiledRelays): Decide<Prefetched> {
  return (scan, relay, facts) => {
    const { validate, rules } = compiledRelays.compile(relay.id, relay.settings);
    const { counts } = facts;
    const verdict = validate({ scan, counts });
    const { posts, memories, counted, muted, bursts } = rules.decide({ scan, relay, verdict, counts, facts });
    const { finding, kind, valid, text, at, late, why } = verdict;
    const reply = rules.withCounts(verdict.reply, counts);
    return { finding, kind, valid, text, at, late, why, reply, posts, memories, counted, muted, bursts };
  };
}

/** The rules' part of a commit besides the decision. */
export function createRulesPort(compiledRelays: CompiledRelays): RulesPort {
  const rulesOf = (relay: RelayRecord) => compiledRelays.compile(relay.id, relay.settings).rules;
  return {
    needs: (relay) => rulesOf(relay).needs,
    countsAround: (relay, scan) => compiledRelays.compile(relay.id, relay.settings).countsAround(scan),
    revise: (before, after, relay, facts) => rulesOf(relay).revise(before, after, relay, facts),
    digests,
  };
}
