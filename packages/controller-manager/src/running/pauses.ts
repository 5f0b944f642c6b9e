import type { InformerFactory } from '@orch/client';
import type { Kept, Moment } from '@orch/controllers';
import { abortable, anySignal, type Deferred, deferred } from '@orch/machinery/concurrency';
import { KeptInformers } from './kept-informers.ts';

/** What controllers of one round use. */
export interface Round {
  readonly informers: InformerFactory;
  readonly kept: Kept;
}

const ignore = (): void => undefined;

/**
 * Ends the work of controllers for a while: they are built again afterwards, and remember nothing. Their informers follow the server all
 * the time, which is most of the cost of a start.
 */
export class Pauses {
  #informers: KeptInformers | undefined;
  #pause = new AbortController();
  #resumed: Deferred<void> | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  /** Resolves when no controller works; none begins to work until `resume`. */
  async pause(): Promise<void> {
    this.#resumed ??= deferred();
    this.#pause.abort(new Error('the controllers pause'));
    await this.#ended;
  }

  resume(): void {
    this.#pause = new AbortController();
    this.#resumed?.resolve();
    this.#resumed = undefined;
  }

  /** Whether all informers have the changes up to a moment. Controllers that are being started have none, unless they pause. */
  haveReached(moment: Moment): boolean {
    if (this.#informers === undefined || (this.#resumed === undefined && this.#informers.isEmpty))
      return false;
    return this.#informers.hasReached(moment);
  }

  /** Runs `work`, again after each pause, until the signal aborts. Rejects with its failure. */
  async run(
    informers: InformerFactory,
    work: (round: Round, signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const kept = new KeptInformers(informers, signal);
    this.#informers = kept;
    while (!signal.aborted) {
      if (this.#resumed !== undefined) {
        await abortable(this.#resumed.promise, signal).catch(ignore);
        continue;
      }
      using scope = anySignal([signal, this.#pause.signal]);
      const ended = work({ informers: kept.until(scope.signal), kept }, scope.signal);
      this.#ended = ended.catch(ignore);
      await ended;
    }
  }
}
