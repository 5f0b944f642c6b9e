import type { FollowOptions, WatchEvent } from '@orch/client';
import { follow } from '@orch/client/browser';
import type { ApiObject } from '@orch/machinery';
import type { ObjectsSource } from '../api/objects.ts';
import type { Freshness } from '../rows/live-rows.ts';

export interface LiveObjectsOptions {
  readonly source: (onOpen: () => void) => ObjectsSource;
  readonly env: FollowOptions['env'];
  readonly onChange: () => void;
}

/** A few whole objects, kept up to date until the signal of `run` aborts. */
export class LiveObjects {
  freshness: Freshness = { phase: 'loading' };
  readonly #options: LiveObjectsOptions;
  readonly #objects = new Map<string, ApiObject>();

  constructor(options: LiveObjectsOptions) {
    this.#options = options;
  }

  get objects(): readonly ApiObject[] {
    return [...this.#objects.values()];
  }

  /** Never rejects: a final failure is the freshness. */
  async run(signal: AbortSignal): Promise<void> {
    const { source, env, onChange } = this.#options;
    const options = { env, retriesFirst: true, onFailure: (problem: unknown) => this.#onFailure(problem) };
    try {
      for await (const step of follow(
        source(() => this.#onOpen()),
        options,
        signal,
      )) {
        if (step.type === 'page') this.#takePage(step.page.items);
        else this.#takeEvent(step.event);
        onChange();
      }
    } catch (problem) {
      if (signal.aborted) return;
      this.freshness = { phase: 'failed', problem };
      onChange();
    }
  }

  #onOpen(): void {
    this.freshness = { phase: 'live' };
    this.#options.onChange();
  }

  #onFailure(problem: unknown): void {
    const { freshness } = this;
    const sinceMs = freshness.phase === 'stale' ? freshness.sinceMs : this.#options.env.clock.now();
    this.freshness = { phase: 'stale', sinceMs, problem };
    this.#options.onChange();
  }

  #takePage(items: readonly ApiObject[]): void {
    this.#objects.clear();
    for (const object of items) this.#objects.set(keyOf(object), object);
    this.freshness = { phase: 'live' };
  }

  #takeEvent({ type, object }: WatchEvent): void {
    if (type === 'BOOKMARK') return;
    if (type === 'DELETED') this.#objects.delete(keyOf(object));
    else this.#objects.set(keyOf(object), object);
  }
}

const keyOf = ({ metadata }: ApiObject): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
