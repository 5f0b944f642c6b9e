import { type Env, namesFor } from '@orch/machinery';
import { createMetrics, silentLogger } from '@orch/machinery/env';
import { FakeClock, seededRandom, settle, type TestEnv } from '@orch/machinery/testing';
import { ModelStore } from '@orch/storage';
import { FaultyStore } from '@orch/storage/conformance';
import type { WriteRecord } from '../shared/checks.ts';
import { type Expectations, User } from '../shared/user.ts';
import { Manager } from './manager.ts';
import { cryptographyIsDone } from './pending-cryptography.ts';
import { Replica, throughAny } from './replica.ts';
import { simulatedSettings } from './settings.ts';

export const names = namesFor('orch');
const settings = simulatedSettings(names);

const STEP_MS = 250;
const TURNS = 8;
const MANAGERS = 3;
const REPLICAS = 2;

/**
 * The whole control plane on one fake clock: its store, API servers and managers, and users. All random choices come
 * from one seed.
 */
export class SimulatedCluster {
  readonly clock = new FakeClock();
  readonly model: ModelStore;
  readonly audit: WriteRecord[] = [];
  readonly replicas: readonly Replica[];
  readonly #env: TestEnv;
  readonly #user: User;
  readonly #managers: Manager[] = [];
  readonly #users: Promise<void>[] = [];
  #processes = 0;

  constructor(seed: number) {
    const { clock } = this;
    const random = seededRandom(seed);
    this.#env = { clock, random, log: silentLogger, metrics: createMetrics(), entries: [] };
    this.model = new ModelStore({ clock });
    this.replicas = Array.from(
      { length: REPLICAS },
      (_, i) =>
        new Replica({
          env: { ...this.#env, random: seededRandom(seed * 7 + i), metrics: createMetrics() },
          model: this.model,
          wrap: (store) => new FaultyStore(store, { clock, random: seededRandom(seed * 13 + i) }),
          audit: this.audit,
        }),
    );
    const env: Env = { ...this.#env, random: seededRandom(seed * 17) };
    this.#user = new User(env, names, throughAny(env.random, this.replicas));
  }

  get expectations(): Expectations {
    return this.#user.expectations;
  }

  async start(): Promise<void> {
    for (const replica of this.replicas) await this.#until(replica.start());
    for (let i = 0; i < MANAGERS; i++) this.#startManager();
    await this.advance(3000);
  }

  /** A period of faults while users work, and then `healMs` without faults. */
  async run(steps: number, healMs: number): Promise<void> {
    const { random } = this.#env;
    for (let step = 0; step < steps; step++) {
      if (random.int(3) > 0) this.#act();
      await this.#disturb();
      await this.advance(random.int(6000));
    }
    await this.#heal();
    // Users are done soon after the last fault; their results count from then.
    await this.#until(Promise.all(this.#users));
    await this.advance(healMs);
  }

  async stop(): Promise<void> {
    await this.#until(
      Promise.all(this.#managers.filter(({ isAlive }) => isAlive).map((each) => each.stop())),
    );
    for (const replica of this.replicas) await this.#until(replica.kill());
  }

  /** Advances time until a promise settles. */
  async #until(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    const settled = work.finally(() => {
      isOver = true;
    });
    settled.catch(() => undefined);
    for (let i = 0; i < 600 && !isOver; i++) await this.advance(100);
    if (!isOver) throw new Error('something is never over');
    await settled;
  }

  async advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      await this.clock.advanceAsync(Math.min(left, STEP_MS));
      // A request passes many promises and immediate callbacks, none of which takes time.
      do {
        for (let turn = 0; turn < TURNS; turn++) await settle();
      } while (await cryptographyIsDone());
    }
  }

  #act(): void {
    const act = this.#user.act();
    // A failure is reported when all users are awaited.
    act.catch(() => undefined);
    this.#users.push(act);
  }

  #startManager(): void {
    const { clock, replicas } = this;
    const identity = `manager-${this.#processes++}`;
    const manager = new Manager({
      clock,
      random: seededRandom(this.#env.random.int(2 ** 31)),
      names,
      settings,
      replicas,
      identity,
    });
    this.#managers.push(manager);
    manager.start();
  }

  /** Supervisors start ended processes. */
  #restartEnded(): void {
    const alive = this.#managers.filter(({ isAlive }) => isAlive);
    this.#managers.splice(0, this.#managers.length, ...alive);
    while (this.#managers.length < MANAGERS) this.#startManager();
  }

  async #disturb(): Promise<void> {
    const { random } = this.#env;
    const manager = this.#managers[random.int(this.#managers.length)];
    const replica = this.replicas[random.int(this.replicas.length)];
    switch (random.int(9)) {
      case 0:
        manager?.kill();
        break;
      case 1:
        manager?.pause();
        break;
      case 2:
        if (manager !== undefined) manager.link = random.int(2) === 0 ? 'down' : 'deaf';
        break;
      case 3:
        if (replica !== undefined) await this.#until(replica.kill());
        break;
      case 4:
        // Another member becomes the leader: some requests and some responses are lost.
        for (const { store } of this.replicas) {
          if (store !== undefined)
            store.faults = { unavailable: 0.3, replyLost: 0.1, requestLost: 0.1, watchCut: 0.1 };
        }
        break;
      case 5:
        replica?.store?.cutWatches();
        break;
      default:
        await this.#mend();
    }
    if (random.int(2) === 0) this.#restartEnded();
  }

  async #mend(): Promise<void> {
    for (const replica of this.replicas) {
      if (replica.store !== undefined) replica.store.faults = {};
    }
    for (const replica of this.replicas) if (!replica.isUp) await this.#until(replica.start());
    for (const manager of this.#managers) {
      manager.link = 'up';
      manager.resume();
    }
  }

  async #heal(): Promise<void> {
    await this.#mend();
    this.#restartEnded();
  }
}
