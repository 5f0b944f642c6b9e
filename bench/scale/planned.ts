/** The replicas and threads that a load needs, and how long requests take on them, by a simulation of their queues. */
import { seededRandom } from '@orch/machinery/testing';
import { eventMicros, p99, Queues, untilNext } from '../lib/queues.ts';
import { type Model, predicted } from './model.ts';
import type { Sizes } from './results.ts';

/** The share of its time for which a thread may be busy. */
const MOST_BUSY = 0.7;
const MOST_THREADS = 8;
/** One may end. */
const FEWEST_REPLICAS = 2;
const MOST_REPLICAS = 64;
const MILLION = 1e6;
const REQUESTS = 200_000;

/** What one thread of one replica does in a second. */
interface Work {
  readonly threads: number;
  /** Requests to a replica in a second, and µs of CPU of each. */
  readonly requests: number;
  readonly requestMicros: number;
  /** Events of all writes in a second. */
  readonly events: number;
}

const inFirst = (threads: number): number => eventMicros.inFirst + (threads - 1) * eventMicros.forEach;

/** The share of its time for which the busiest thread, which is the first one, is busy. */
const busy = ({ threads, requests, requestMicros, events }: Work): number =>
  ((requests / threads) * requestMicros + events * inFirst(threads)) / MILLION;

export interface Plan {
  readonly sizes: Sizes;
  readonly busy: number;
  /** Of requests for one object, in µs. */
  readonly p99Micros: number;
}

/** The fewest threads, in the fewest replicas, of which none is too busy. Undefined if no number of them suffices. */
export function planned(model: Model, load: Sizes['load']): Plan | undefined {
  const [fewest] = candidates(load)
    .map((sizes) => ({ sizes, work: workOf(model, sizes) }))
    .filter(({ work }) => busy(work) <= MOST_BUSY)
    .sort((a, b) => threadsOf(a.sizes) - threadsOf(b.sizes) || a.sizes.replicas - b.sizes.replicas);
  if (fewest === undefined) return undefined;
  const { sizes, work } = fewest;
  return { sizes, busy: busy(work), p99Micros: simulated(work) };
}

const threadsOf = ({ replicas, threads }: Sizes): number => replicas * threads;

function candidates(load: Sizes['load']): readonly Sizes[] {
  const sizes: Sizes[] = [];
  for (let replicas = FEWEST_REPLICAS; replicas <= MOST_REPLICAS; replicas++)
    for (let threads = 1; threads <= MOST_THREADS; threads *= 2)
      sizes.push({ load, replicas, threads, overrides: true });
  return sizes;
}

/** Requests are writes, apart from few reads; what a replica does for each of all writes is the receipt of its event. */
function workOf(model: Model, sizes: Sizes): Work {
  const events = predicted(model, 'writes', sizes);
  const cores = predicted(model, 'serverCores', { ...sizes, replicas: 1 });
  return {
    threads: sizes.threads,
    events,
    requests: events / sizes.replicas,
    requestMicros: Math.max(1, (cores * MILLION) / events - eventMicros.inFirst),
  };
}

/** The 99th percentile of requests, in µs: each waits for the requests and events before it in its thread. */
function simulated({ threads, requests, requestMicros, events }: Work): number {
  const random = seededRandom(1);
  const share = (): number => random.int(MILLION) / MILLION;
  const queues = new Queues(threads);
  const waits: number[] = [];
  let request = 0;
  let event = 0;
  while (waits.length < REQUESTS) {
    if (request <= event) {
      waits.push(queues.work(random.int(threads), request, requestMicros) - request);
      request += untilNext(MILLION / requests, share());
    } else {
      for (let thread = 0; thread < threads; thread++)
        queues.work(thread, event, thread === 0 ? inFirst(threads) : eventMicros.inFurther);
      event += untilNext(MILLION / events, share());
    }
  }
  return p99(waits);
}
