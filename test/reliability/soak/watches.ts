import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '@orch/machinery/testing';
import type { ClientConfig } from '@orch/testkit';
import { Follower, replay } from '../threads/follower.ts';

const WAIT_MS = 60_000;
const path = '/api/v1/namespaces/default/configmaps';

/** Watches of all config maps, one through each server, whose events give the state that lists have. */
export class Watches {
  readonly violations: string[] = [];
  events = 0;
  readonly #followers: readonly Follower[];
  readonly #states: readonly Map<string, string>[];

  readonly #waitMs: number;

  /** `waitMs` is the time that a list may take, and then the events. */
  constructor(configs: readonly ClientConfig[], from: string, { waitMs = WAIT_MS } = {}) {
    this.#waitMs = waitMs;
    this.#followers = configs.map((config) => new Follower({ config, path, from }));
    this.#states = configs.map(() => new Map<string, string>());
  }

  /** The revision that all watches have reached. */
  get revision(): number {
    return Math.min(...this.#followers.map(({ revision }) => revision));
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.run(signal)));
  }

  /** Applies the events since the last call to the states. */
  collect(): void {
    for (const [i, follower] of this.#followers.entries()) {
      this.events += follower.seen.length;
      replay(this.#states[i] ?? new Map(), follower.seen);
      follower.forget();
      this.violations.push(...follower.violations.splice(0));
    }
  }

  /**
   * Compares the states with lists, while nobody writes; returns how many were compared. A server that a fault concerns answers no
   * list: that is compared another time.
   */
  async compare(): Promise<number> {
    let compared = 0;
    for (const [i, follower] of this.#followers.entries()) {
      const listed = await poll('a list', this.#waitMs, () => follower.list()).catch(() => undefined);
      if (listed === undefined) continue;
      compared++;
      const expected = JSON.stringify([...listed].sort());
      const actual = (): string => {
        this.collect();
        return JSON.stringify([...(this.#states[i] ?? [])].sort());
      };
      for (let waited = 0; actual() !== expected && waited < this.#waitMs; waited += 100) await sleep(100);
      if (actual() !== expected) this.violations.push(`watch ${i} has ${actual()}, a list ${expected}`);
    }
    return compared;
  }
}
