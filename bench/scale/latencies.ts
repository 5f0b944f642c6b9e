import { isNotFound } from '@orch/client';

/** How long requests of one kind took. */
export interface Summary {
  /** Verb and resource: `update leases`. */
  readonly request: string;
  readonly count: number;
  readonly failures: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Beside requests: from the answer to a binding until the agent of the node has the event. */
export const WATCH_DELAY = 'watch pods: delay of an event';

/** A pod may be deleted before it is bound or started, which is no failure. */
export function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

interface Sample {
  readonly ms: number[];
  failures: number;
}

/** Failures that are logged, so that a reader sees why. */
const LOGGED_FAILURES = 5;

/** The latencies of all requests of a load, by verb and resource. */
export class Latencies {
  readonly #samples = new Map<string, Sample>();
  #isMeasuring = false;
  #logged = 0;

  /** Requests before do not count: the load begins with them. */
  begin(): void {
    this.#samples.clear();
    this.#isMeasuring = true;
  }

  /** A failed request counts as a failure only; undefined is returned for it. */
  async time<T>(request: string, send: () => Promise<T>): Promise<T | undefined> {
    const began = performance.now();
    try {
      const answer = await send();
      this.add(request, performance.now() - began);
      return answer;
    } catch (error) {
      if (this.#logged++ < LOGGED_FAILURES) console.error(`${request}: ${String(error)}`);
      if (this.#isMeasuring) this.#sampleOf(request).failures++;
      return undefined;
    }
  }

  add(request: string, ms: number): void {
    if (this.#isMeasuring) this.#sampleOf(request).ms.push(ms);
  }

  summaries(): readonly Summary[] {
    return [...this.#samples]
      .map(([request, { ms, failures }]) => {
        const sorted = Float64Array.from(ms).sort();
        const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
        return { request, count: sorted.length, failures, p50Ms: at(0.5), p99Ms: at(0.99) };
      })
      .sort((a, b) => (a.request < b.request ? -1 : 1));
  }

  #sampleOf(request: string): Sample {
    const found = this.#samples.get(request) ?? { ms: [], failures: 0 };
    this.#samples.set(request, found);
    return found;
  }
}
