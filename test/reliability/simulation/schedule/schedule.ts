import type { Random } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';

/** The programs of a simulation, by their number. Servers take part in each. */
export interface Cast {
  /** Controller managers, and users of what their controllers make. */
  readonly managers: number;
  /** Programs over the client library with a controller, of which one is elected. */
  readonly copiers: number;
  /** Informers of the client library. */
  readonly observers: number;
  /** Clients that read and write the same few objects. */
  readonly registers: number;
  /** Users of a custom resource with two versions and a conversion webhook. */
  readonly definers: number;
  /** Users of a namespace that admission webhooks and a policy guard. */
  readonly submitters: number;
  /** Clients that read and write the same few objects, and share the few seats of a priority level. */
  readonly crowds: number;
  /** Users of an extension API server. */
  readonly extenders: number;
  /** Operators who move the content of the cluster to another store. */
  readonly movers: number;
  /** Operators who make backups and restore them. */
  readonly restorers: number;
}

const kinds = [
  'users act',
  'objects change',
  'registers work',
  'custom objects change',
  'guarded objects change',
  'extension objects change',
  'the definition is deleted',
  'the conversion webhook fails',
  'an admission webhook fails',
  'the parameter of the policy changes',
  'an extension fails',
  'the extension moves',
  'the content moves to the other store',
  'a backup is made',
  'the backup is restored',
  'a process is killed',
  'a process is suspended',
  'a process is cut off',
  'the answers to a process are lost',
  'a server is killed',
  'a server is restarted',
  'the store loses requests and answers',
  'the store is slow',
  'the store is full',
  'the wall clock of the servers steps',
  'the watches of a server end',
  'the store is compacted',
  'ended processes are started',
  'all faults end',
] as const;

/** A fault, or an action of users. */
export type Kind = (typeof kinds)[number];

/** Something that happens at a time: `choice` determines to what. */
export interface Event {
  readonly afterMs: number;
  readonly kind: Kind;
  readonly choice: number;
}

/** All that happens in a simulation. A part of the events is a schedule, too. */
export interface Schedule {
  readonly seed: number;
  readonly cast: Cast;
  readonly events: readonly Event[];
}

/** Each simulation has some of the programs only, so that it is short and its faults concern them. */
const casts: readonly Partial<Cast>[] = [
  { managers: 3 },
  { copiers: 2, observers: 1 },
  { observers: 2, registers: 3 },
  { observers: 1, registers: 4 },
  { copiers: 3, registers: 2 },
  { copiers: 1, observers: 2 },
];

/** The remainder of a seed divided by the number of remainders decides whether one of the rarer programs takes part. */
export const REMAINDERS = 16;
const rarer: Readonly<Record<number, Partial<Cast>>> = {
  0: { definers: 1 },
  3: { movers: 1, observers: 1, registers: 3 },
  6: { submitters: 1 },
  8: { definers: 1 },
  10: { crowds: 8 },
  12: { extenders: 1, registers: 2 },
  14: { submitters: 1 },
  15: { restorers: 1, observers: 2 },
};
const nobody: Cast = {
  managers: 0,
  copiers: 0,
  observers: 0,
  registers: 0,
  definers: 0,
  submitters: 0,
  crowds: 0,
  extenders: 0,
  movers: 0,
  restorers: 0,
};

/** Most times until the next event. */
const SHORT_MS = 4000;
/** Longer than a lease. */
const LONG_MS = 24_000;
/** Faults that matter if they last longer than the lease of a leader. */
const isolating: ReadonlySet<Kind> = new Set([
  'a process is suspended',
  'a process is cut off',
  'the answers to a process are lost',
]);

const work: readonly Kind[] = [
  'users act',
  'objects change',
  'registers work',
  'custom objects change',
  'guarded objects change',
  'extension objects change',
];

const pick = <T>(random: Random, list: readonly [T, ...T[]] | readonly T[]): T => {
  const picked = list[random.int(list.length)];
  if (picked === undefined) throw new RangeError('the list is empty');
  return picked;
};

/** The schedule of a seed. */
export function scheduleOf(seed: number, steps: number): Schedule {
  const random = seededRandom(seed);
  const cast = castOf(seed, random);
  const events: Event[] = [];
  for (let step = 0; step < steps; step++) {
    for (const kind of worksOf(cast))
      if (random.int(3) > 0) events.push({ afterMs: 0, kind, choice: random.int(2 ** 31) });
    const kind = pick(random, faultsOf(cast));
    const mostMs = isolating.has(kind) && random.int(2) === 0 ? LONG_MS : SHORT_MS;
    events.push({ afterMs: random.int(mostMs), kind, choice: random.int(2 ** 31) });
  }
  return { seed, cast, events };
}

function castOf(seed: number, random: Random): Cast {
  return { ...nobody, ...(rarer[seed % REMAINDERS] ?? pick(random, casts)) };
}

const worksOf = ({
  managers,
  copiers,
  observers,
  registers,
  definers,
  submitters,
  crowds,
  extenders,
}: Cast): readonly Kind[] => [
  ...(managers > 0 ? (['users act'] as const) : []),
  ...(copiers + observers > 0 ? (['objects change'] as const) : []),
  ...(registers + crowds > 0 ? (['registers work'] as const) : []),
  ...(definers > 0 ? (['custom objects change'] as const) : []),
  ...(submitters > 0 ? (['guarded objects change'] as const) : []),
  ...(extenders > 0 ? (['extension objects change'] as const) : []),
];

/**
 * How many times more often than other faults the store is slow: requests wait for seats only where others occupy them for long, and
 * writes are under way for long while the content moves.
 */
const slower: Partial<Record<keyof Cast, number>> = { crowds: 12, movers: 6 };

/** The faults that only some programs have, and how many times more often than others they happen to them. */
const special: readonly {
  readonly of: keyof Cast;
  readonly faults: readonly Kind[];
  readonly times: number;
}[] = [
  { of: 'definers', faults: ['the definition is deleted', 'the conversion webhook fails'], times: 2 },
  {
    of: 'submitters',
    faults: ['an admission webhook fails', 'the parameter of the policy changes'],
    times: 2,
  },
  {
    of: 'extenders',
    faults: ['an extension fails', 'the extension moves'],
    times: 6,
  },
  { of: 'movers', faults: ['the content moves to the other store'], times: 8 },
  { of: 'restorers', faults: ['a backup is made', 'the backup is restored'], times: 6 },
];

function faultsOf(cast: Cast): readonly Kind[] {
  const others = new Set<Kind>([...work, ...special.flatMap(({ faults }) => faults)]);
  const all = [
    ...kinds.filter((kind) => !others.has(kind)),
    ...special.flatMap(({ of, faults, times }) =>
      cast[of] > 0 ? Array.from({ length: times }, () => faults).flat() : [],
    ),
    ...Object.entries(slower).flatMap(([of, times]) =>
      cast[of as keyof Cast] > 0 ? Array<Kind>(times).fill('the store is slow') : [],
    ),
  ];
  const hasProcesses = cast.managers + cast.copiers + cast.observers > 0;
  return all.filter(
    (kind) =>
      (hasProcesses || !kind.includes('process')) &&
      // Revisions after a restore depend on the clock.
      (cast.restorers === 0 || kind !== 'the wall clock of the servers steps'),
  );
}
