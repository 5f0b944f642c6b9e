import { createHash } from 'node:crypto';
import { type Fault, type FaultRequest, type FaultRule, isWrite } from './fault.ts';

/** How often faults happen, and which. */
export interface ScheduleOptions {
  /** The part of the requests that have a fault, from 0 to 1; a tenth when absent. */
  readonly rate?: number;
  /** The kinds of faults that happen; all when absent but `jump`, which has to be named. */
  readonly kinds?: readonly Fault['kind'][];
}

const RATE = 0.1;
/** A request fails at most this often in a row, so that a program that tries again makes progress. */
const IN_A_ROW = 2;
/** Longer than a leader may go without a renewal, and shorter than the deadline of a request. */
const JUMP: Fault = { kind: 'jump', ms: 30_000 };
/** Times of slow answers and delayed events are below it. */
const MOST_MS = 50;

const readFaults: readonly Fault[] = [
  { kind: 'error', code: 500 },
  { kind: 'error', code: 429 },
  { kind: 'lost' },
  { kind: 'stale' },
  { kind: 'replica' },
  { kind: 'slow', ms: MOST_MS },
];
const writeFaults: readonly Fault[] = [
  { kind: 'error', code: 500, moment: 'before' },
  { kind: 'error', code: 500, moment: 'after' },
  { kind: 'error', code: 429 },
  { kind: 'error', code: 409 },
  { kind: 'lost', moment: 'before' },
  { kind: 'lost', moment: 'after' },
  { kind: 'replica' },
  { kind: 'slow', ms: MOST_MS },
];
const watchFaults: readonly Fault[] = [
  { kind: 'cut', events: 1 },
  { kind: 'cut', events: 3 },
  { kind: 'delayed', ms: MOST_MS },
  { kind: 'bookmarksOnly' },
  { kind: 'compacted' },
  { kind: 'lost' },
];

/**
 * The faults of a number. A request gets the same fault in each run, because it depends on the number, its verb, its path and how often
 * it was sent before, and not on the order of requests.
 */
export function scheduleOf(seed: number, { rate = RATE, kinds }: ScheduleOptions = {}): FaultRule {
  return (request) => {
    const { occurrence } = request;
    const isSpared = occurrence % (IN_A_ROW + 1) === IN_A_ROW;
    if (isSpared || draw(seed, request, `happens ${occurrence}`) >= rate) return undefined;
    const all = kinds?.includes('jump') === true ? [...faultsOf(request), JUMP] : faultsOf(request);
    const possible = all.filter(({ kind }) => kinds?.includes(kind) !== false);
    return possible[Math.floor(draw(seed, request, `fault ${occurrence}`) * possible.length)];
  };
}

function faultsOf(request: FaultRequest): readonly Fault[] {
  if (request.verb === 'watch') return watchFaults;
  if (!isWrite(request)) return readFaults;
  // An object that does not exist cannot conflict.
  return request.verb === 'create'
    ? writeFaults.filter((fault) => fault.kind !== 'error' || fault.code !== 409)
    : writeFaults;
}

/** A number from 0 to below 1 that is the same for the same arguments. */
function draw(seed: number, { verb, path }: FaultRequest, question: string): number {
  const digest = createHash('sha256').update(`${seed} ${verb} ${path} ${question}`).digest();
  return digest.readUInt32BE() / 2 ** 32;
}
