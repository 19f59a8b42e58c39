/** Where the random faults of a run were put, and whether calls ran into them. Some are replaced before any call does. */

interface CountedFault {
  readonly method?: string | undefined;
  readonly times: number;
}

export interface FaultCounts {
  /** Records the next faults, and those of the faults before that no call ran into. */
  replace(next: readonly CountedFault[], left: readonly CountedFault[]): void;
  /** The methods into which faults were put without any call running into one. */
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
