import { setTimeout as sleep } from 'node:timers/promises';
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

  constructor(configs: readonly ClientConfig[], from: string) {
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

  /** Compares the states with a list, while nobody writes. */
  async compare(): Promise<void> {
    for (const [i, follower] of this.#followers.entries()) {
      const listed = await follower.list();
      const expected = JSON.stringify([...listed].sort());
      const actual = (): string => {
        this.collect();
        return JSON.stringify([...(this.#states[i] ?? [])].sort());
      };
      for (let waited = 0; actual() !== expected && waited < WAIT_MS; waited += 100) await sleep(100);
      if (actual() !== expected) this.violations.push(`watch ${i} has ${actual()}, a list ${expected}`);
    }
  }
}
