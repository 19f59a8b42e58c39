/** Where the random faults of a run were put, and whether calls ran into them. Some are replaced before that. */

interface CountedFault {
  readonly method?: string | undefined;
  readonly times: number;
}

export interface FaultCounts {
  /** The next faults, and what is left of those before. */
  replace(next: readonly CountedFault[], left: readonly CountedFault[]): void;
  /** Where faults were put and none was played. */
  unreached(): readonly string[];
}

export function countFaults(): FaultCounts {
  const played = new Map<string, number>();
  const add = ({ method = 'the account' }: CountedFault, times: number): void => {
    played.set(method, (played.get(method) ?? 0) + times);
  };
  return {
    replace(next, left) {
      for (const fault of left) {
        add(fault, -fault.times);
      }
      for (const fault of next) {
        add(fault, fault.times);
      }
    },
    unreached: () => [...played].filter(([, times]) => times <= 0).map(([method]) => method),
  };
}
