import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { silentLogger } from '@orch/machinery/env';
import { FakeClock, seededRandom, settle } from '@orch/machinery/testing';
import { openEtcdStore } from '../../etcd-store.ts';
import { EtcdLog } from './etcd-log.ts';
import { EtcdMember } from './etcd-member.ts';
import { FaultInjector } from './fault-injector.ts';
import { DEADLINES, type ProgramEnv, runCompactions, Watcher, Writer } from './programs.ts';
import { SimulatedNetwork } from './simulated-network.ts';
import { USER_PREFIX, WriteHistory } from './write-history.ts';

const CLIENTS = 2;
const WRITERS = 3;
const FAULTS_MS = 8000;
/** After all calls have ended, nothing that they have sent arrives later than this. */
const QUIET_MS = 5000;
/** All watches have received everything by then. */
const RECOVERY_MS = 30_000;
/** Members of the last one do not answer requests for progress in order. */
const VERSIONS = ['3.6.4', '3.5.17', '3.4.20'];

export interface SimulatedRun {
  readonly hash: string;
  readonly trace: readonly string[];
  readonly counts: WriteHistory['counts'];
  /** The broken promise. */
  readonly failure?: unknown;
}

/** Etcd, its network, and servers that use it through the client, determined by a seed. */
class Simulation {
  readonly clock = new FakeClock(0);
  readonly log = new EtcdLog();
  readonly history = new WriteHistory(this.log);
  readonly trace: string[] = [];
  readonly #seed: number;
  readonly #members: readonly EtcdMember[];
  readonly #network: SimulatedNetwork;
  readonly #stop = new AbortController();
  readonly #end = new AbortController();
  #parts = 0;

  constructor(seed: number) {
    this.#seed = seed;
    const random = this.#random();
    // Members of different releases are those of a cluster that is being upgraded.
    const version = VERSIONS[random.int(VERSIONS.length)] ?? '';
    const other = VERSIONS[random.int(VERSIONS.length)] ?? '';
    const cluster = {
      log: this.log,
      clock: this.clock,
      random: this.#random(),
      received: (method: string, message: Buffer): void => {
        this.#note(`${method} arrives`);
        if (method === 'Txn') this.history.received(message);
      },
      grown: (): void => {
        this.#note(`the log has ${this.log.rev}`);
        for (const member of this.#members) member.follow();
      },
    };
    this.#members = [0, 1, 2].map((number) => new EtcdMember(cluster, number, number > 1 ? other : version));
    this.#network = new SimulatedNetwork({ clock: this.clock, random: this.#random() }, this.#members);
  }

  async run(): Promise<void> {
    const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, i) => this.#client(i)));
    const programs = clients.map((env) => this.#programs(env));
    const injector = new FaultInjector({
      network: this.#network,
      members: this.#members,
      clock: this.clock,
      random: this.#random(),
      note: this.#note,
    });
    this.clock.schedule(FAULTS_MS, () => {
      this.#stop.abort();
      injector.heal();
      this.#note('healed');
    });
    const watches = programs.flatMap(({ watching }) => watching);
    const calls = [injector.run(this.#stop.signal), ...programs.flatMap(({ calling }) => calling)];
    await Promise.race([Promise.all(calls), Promise.all(watches)]);
    await this.#elapsed(QUIET_MS);
    const recovered = this.#recovered(programs.flatMap(({ watchers }) => watchers));
    await Promise.race([recovered, Promise.all(watches)]);
    this.history.check();
    this.#end.abort();
    await Promise.all(watches);
    await Promise.all(clients.map(({ store }) => store.close()));
  }

  async #client(number: number): Promise<ProgramEnv> {
    const { clock, log, history } = this;
    const random = this.#random();
    const store = await openEtcdStore({
      endpoints: this.#network.endpoints,
      openTransport: this.#network.open,
      env: { clock, random, log: silentLogger },
      deadlines: DEADLINES,
      probeKey: USER_PREFIX,
    });
    const name = `client ${number}`;
    return {
      name,
      store,
      log,
      history,
      clock,
      random: this.#random(),
      stop: this.#stop.signal,
      note: this.#note,
    };
  }

  #programs(env: ProgramEnv) {
    const named = (what: string): ProgramEnv => ({
      ...env,
      name: `${env.name} ${what}`,
      random: this.#random(),
    });
    const writers = Array.from({ length: WRITERS }, (_, i) => new Writer(named(`writer ${i}`)).run());
    const watchers = [USER_PREFIX, `${USER_PREFIX}3`].map(
      (prefix, i) => new Watcher(named(`watcher ${i}`), prefix),
    );
    return {
      watchers,
      watching: watchers.map((watcher) => watcher.run(this.#end.signal)),
      calling: [...writers, runCompactions(named('compactor'))],
    };
  }

  /** Waits until all watches have received everything. */
  async #recovered(watchers: readonly Watcher[]): Promise<void> {
    const untilMs = this.clock.monotonic() + RECOVERY_MS;
    while (watchers.some(({ position }) => position < this.log.rev)) {
      assert.ok(
        this.clock.monotonic() < untilMs,
        `watches are at ${watchers.map(({ position }) => position)}`,
      );
      await this.#elapsed(100);
    }
  }

  #elapsed(ms: number): Promise<void> {
    return new Promise((resolve) => void this.clock.schedule(ms, resolve));
  }

  readonly #note = (line: string): void => {
    this.trace.push(`${this.clock.monotonic().toFixed(1)} ${line}`);
  };

  /** Each part has its own random numbers. */
  #random() {
    return seededRandom(this.#seed * 1_000_003 + 7919 * this.#parts++);
  }
}

/** Runs a simulation until it ends, or a promise is broken. */
async function failureOf(simulation: Simulation): Promise<unknown> {
  let failure: unknown;
  let isOver = false;
  simulation
    .run()
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      isOver = true;
    });
  try {
    for (await settle(); !isOver; await settle())
      assert.ok(simulation.clock.runNext(), 'nothing happens any more');
  } catch (error) {
    return error;
  }
  return failure;
}

/** Runs the simulation of a seed. */
export async function simulateClient(seed: number): Promise<SimulatedRun> {
  const simulation = new Simulation(seed);
  const failure = await failureOf(simulation);
  const { trace, history } = simulation;
  const hash = createHash('sha256').update(trace.join('\n')).digest('hex').slice(0, 16);
  return { hash, trace, counts: history.counts, ...(failure !== undefined && { failure }) };
}
