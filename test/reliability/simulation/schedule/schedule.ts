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
}

const kinds = [
  'users act',
  'objects change',
  'registers work',
  'custom objects change',
  'the definition is deleted',
  'the conversion webhook fails',
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
const casts: readonly Cast[] = [
  { managers: 3, copiers: 0, observers: 0, registers: 0, definers: 0 },
  { managers: 0, copiers: 2, observers: 1, registers: 0, definers: 0 },
  { managers: 0, copiers: 0, observers: 2, registers: 3, definers: 0 },
  { managers: 0, copiers: 0, observers: 1, registers: 4, definers: 0 },
  { managers: 0, copiers: 3, observers: 0, registers: 2, definers: 0 },
  { managers: 0, copiers: 1, observers: 2, registers: 0, definers: 0 },
];

/** Custom resources take part in each of this many seeds. */
const DEFINERS_EVERY = 8;
const definers: Cast = { managers: 0, copiers: 0, observers: 0, registers: 0, definers: 1 };

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

const work: readonly Kind[] = ['users act', 'objects change', 'registers work', 'custom objects change'];

const pick = <T>(random: Random, list: readonly [T, ...T[]] | readonly T[]): T => {
  const picked = list[random.int(list.length)];
  if (picked === undefined) throw new RangeError('the list is empty');
  return picked;
};

/** The schedule of a seed. */
export function scheduleOf(seed: number, steps: number): Schedule {
  const random = seededRandom(seed);
  const cast = seed % DEFINERS_EVERY === 0 ? definers : pick(random, casts);
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

const worksOf = ({ managers, copiers, observers, registers, definers }: Cast): readonly Kind[] => [
  ...(managers > 0 ? (['users act'] as const) : []),
  ...(copiers + observers > 0 ? (['objects change'] as const) : []),
  ...(registers > 0 ? (['registers work'] as const) : []),
  ...(definers > 0 ? (['custom objects change'] as const) : []),
];

/** Faults of custom resources. */
const customFaults: readonly Kind[] = ['the definition is deleted', 'the conversion webhook fails'];

function faultsOf({ managers, copiers, observers, definers }: Cast): readonly Kind[] {
  const all = kinds.filter((kind) => !work.includes(kind));
  const faults =
    definers > 0 ? [...all, ...customFaults] : all.filter((kind) => !customFaults.includes(kind));
  const hasProcesses = managers + copiers + observers > 0;
  return hasProcesses ? faults : faults.filter((kind) => !kind.includes('process'));
}
