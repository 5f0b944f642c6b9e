import type { Cancel } from '@orch/machinery';
import { FakeClock, settle } from '@orch/machinery/testing';
import { cryptographyIsDone } from './pending-cryptography.ts';

const STEP_MS = 250;
/** A request passes many promises and immediate callbacks, none of which takes time. */
const TURNS = 8;

/** The time of a simulation. It passes in steps, and the work that a step causes ends before the next one begins. */
export class SimulationClock extends FakeClock {
  #hasRun = true;

  override schedule(delayMs: number, callback: () => void): Cancel {
    return super.schedule(delayMs, () => {
      this.#hasRun = true;
      callback();
    });
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      await this.advanceAsync(Math.min(left, STEP_MS));
      // A step without a timer causes no work.
      if (this.#hasRun) await this.quiet();
    }
  }

  /** Resolves when the work that needs no time has ended. Callers that cause work call it. */
  async quiet(): Promise<void> {
    do {
      this.#hasRun = false;
      for (let turn = 0; turn < TURNS; turn++) await settle();
    } while (await cryptographyIsDone());
  }
}
