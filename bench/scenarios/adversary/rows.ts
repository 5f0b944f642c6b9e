import type { BenchResult } from '../../lib/measure.ts';
import type { Throughput } from '../../lib/paced-requests.ts';
import type { Experience, Percentiles } from './victim.ts';

/** Maxima of the time for which one request may hold the event loop, and for which it may delay others. */
const MAX_HOLD_MS = 25;
const MAX_DELAY_MS = 50;
/** Part of the throughput that another user has at least. */
const LEAST_KEPT = 0.4;

/** What an attack did to others, and to the event loop. */
export interface Seen extends Experience {
  readonly what: string;
  readonly holdMs: number;
  /** Attacks that were answered. */
  readonly attacks: number;
}

/** The rows of an attack; `alone` is what other users measure without an attack. */
export function rowsOf(seen: Seen, alone: Experience): readonly BenchResult[] {
  const { what, get, health, renewal, holdMs } = seen;
  return [
    {
      ...delayOf(`GET beside ${what}`, get, alone.get),
      note: `${noteOf(get, alone.get)}; ${seen.attacks} attacks`,
    },
    {
      what: `throughput of GET kept beside ${what}`,
      unit: '%',
      value: keptOf(seen, alone, 'perSecond'),
      target: LEAST_KEPT * 100,
      atLeast: true,
      note: `${seen.throughput.perSecond.toFixed(0)} of ${alone.throughput.perSecond.toFixed(0)} requests in a second; ${keptOf(seen, alone, 'perServerCpuSecond').toFixed(0)} % of those in a second of CPU of the server`,
    },
    {
      what: `requests of others refused beside ${what}`,
      unit: 'requests',
      value: refusedOf(seen),
      target: 0,
    },
    delayOf(`health check beside ${what}`, health, alone.health),
    delayOf(`renewal of a lease beside ${what}`, renewal, alone.renewal),
    { what: `longest hold of the event loop by ${what}`, unit: 'ms CPU', value: holdMs, target: MAX_HOLD_MS },
  ];
}

const refusedOf = ({ get, health, renewal }: Experience): number =>
  get.refused + health.refused + renewal.refused;

const keptOf = (seen: Experience, alone: Experience, per: keyof Throughput): number =>
  (100 * seen.throughput[per]) / alone.throughput[per];

const delayOf = (what: string, beside: Percentiles, alone: Percentiles): BenchResult => ({
  what: `${what}: p99`,
  unit: 'ms',
  value: beside.p99,
  target: MAX_DELAY_MS,
  note: noteOf(beside, alone),
});

const noteOf = ({ p50, cpuP99 }: Percentiles, alone: Percentiles): string =>
  `p50 ${p50.toFixed(1)} ms; the server used ${cpuP99.toFixed(1)} ms of CPU meanwhile (p99); alone p99 ${alone.p99.toFixed(1)} ms, ${alone.cpuP99.toFixed(1)} ms of CPU`;

const columns = [
  ...['GET', 'CPU', 'kept', 'of CPU', 'health', 'CPU', 'lease', 'CPU', 'hold'],
  ...['refused', 'attacks'],
];

/** The heading of the lines of `lineOf`. */
export const heading = (): string =>
  `${columns.map((column) => column.padStart(8)).join('')}  (p99 in ms; CPU of the server meanwhile)`;

/** A line for people who watch the run. */
export function lineOf(seen: Seen, alone: Experience): string {
  const { get, health, renewal, holdMs } = seen;
  const kept = (per: keyof Throughput): string => `${keptOf(seen, alone, per).toFixed(0)} %`;
  const shares = [kept('perSecond'), kept('perServerCpuSecond')];
  const ms = [get.p99, get.cpuP99, ...shares, health.p99, health.cpuP99, renewal.p99, renewal.cpuP99, holdMs];
  const cells = [
    ...ms.map((value) => (typeof value === 'string' ? value : value.toFixed(1))),
    String(refusedOf(seen)),
    String(seen.attacks),
  ];
  return `${cells.map((cell) => cell.padStart(8)).join('')}  ${seen.what}`;
}
