import assert from 'node:assert/strict';
import { type Clock, type Env, namesFor, type Random } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { createMetrics, silentLogger } from '@orch/machinery/env';
import { FakeClock, seededRandom } from '@orch/machinery/testing';
import { createClient } from '../../create-client.ts';
import { ModelApi } from '../../testing/model-api.ts';
import { configMaps } from '../../testing/test-client.ts';
import { type Transport, TransportError } from '../../transport/transport.ts';
import { fencedTransport } from '../fenced-transport.ts';
import { type LeaderElector, leaderElector } from '../leader-elector.ts';
import type { Leadership } from '../leadership.ts';
import { fenceInUserAgent } from '../user-agent.ts';
import { ProcessClock } from './process-clock.ts';

const names = namesFor('orch');
const CANDIDATES = 4;
/** Maximum delay of a message: less than the difference of renew deadline and lease duration. */
const MAX_LATENCY_MS = 800;

/** One candidate process, on its own machine. */
class Candidate {
  readonly clock: ProcessClock;
  readonly #env: Env;
  readonly #api: ModelApi;
  readonly #base: Clock;
  readonly #random: Random;
  readonly #identity: string;
  #stop = new AbortController();
  #run: Promise<unknown> = Promise.resolve();
  elector: LeaderElector;
  /** Requests or responses are lost. */
  link: 'up' | 'down' | 'deaf' = 'up';

  constructor(api: ModelApi, base: Clock, random: Random, identity: string) {
    this.#api = api;
    this.#base = base;
    this.#random = random;
    this.#identity = identity;
    // Clocks run up to 2 % fast or slow, with any wall time.
    this.clock = new ProcessClock(base, 0.98 + random.int(41) / 1000, random.int(10 ** 9));
    this.#env = { clock: this.clock, random, log: silentLogger, metrics: createMetrics() };
    this.elector = this.#elector();
  }

  #elector(): LeaderElector {
    const client = createClient({ transport: this.#link(), names, env: this.#env, userAgent: 'candidate/1' });
    const identity = this.#identity;
    return leaderElector({ client, env: this.#env, namespace: 'system', name: 'election', identity });
  }

  start(): void {
    const stop = new AbortController();
    this.#stop = stop;
    this.#run = (async () => {
      while (!stop.signal.aborted)
        await this.elector.run((leadership) => this.#work(leadership), stop.signal);
    })();
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('stopped'));
    await this.#run;
  }

  /** Writes continuously, while it may and sometimes a little longer. */
  async #work(leadership: Leadership): Promise<void> {
    const transport = fencedTransport(this.#link(), leadership);
    const client = createClient({ transport, names, env: this.#env, userAgent: 'candidate/1' });
    const work = client.resource(configMaps, 'system');
    while (!leadership.signal.aborted) {
      await work.patch.merge('work', { data: { by: this.#identity } }).catch(() => undefined);
      await sleep(this.clock, 300 + this.#random.int(1200), new AbortController().signal);
    }
    await work.patch.merge('work', { data: { by: 'a former leader' } }).catch(() => undefined);
  }

  /** The network between this process and the server. Responses wait while the process is suspended. */
  #link(): Transport {
    return {
      send: async (request, signal) => {
        await this.#travel();
        if (this.link === 'down') return await this.#silence(signal);
        // A sent request arrives, whether or not the process still waits for it.
        const response = await this.#api.send(request, new AbortController().signal);
        await this.#travel();
        if (this.link !== 'up') return await this.#silence(signal);
        await new Promise<void>((resolve) => this.clock.whenRunning(resolve));
        signal.throwIfAborted();
        return response;
      },
      reset: () => undefined,
      close: async () => undefined,
    };
  }

  #travel(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#base.schedule(this.#random.int(MAX_LATENCY_MS / 2), resolve);
    return promise;
  }

  /** Waits until the caller aborts, or the connection is detected as dead. */
  async #silence(signal: AbortSignal): Promise<never> {
    await sleep(this.clock, 3000 + this.#random.int(10_000), signal);
    throw new TransportError('unknown', 'the connection is dead');
  }
}

/** Candidates with their own clocks that are disconnected, suspended, restarted and resumed, by one seed. */
export class ElectionSimulation {
  readonly #base = new FakeClock();
  readonly #random: Random;
  readonly #api: ModelApi;
  readonly #candidates: Candidate[];

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#api = new ModelApi({ names, clock: this.#base });
    const place = { collection: '/configmaps', namespace: 'system', name: 'work' };
    this.#api.objects.create(place, { metadata: {} }, '2024-01-01T00:00:00Z');
    this.#candidates = Array.from(
      { length: CANDIDATES },
      (_, i) => new Candidate(this.#api, this.#base, seededRandom(seed * 100 + i), `candidate-${i}`),
    );
  }

  async run(steps: number): Promise<void> {
    for (const candidate of this.#candidates) candidate.start();
    for (let step = 0; step < steps; step++) {
      this.#disturb();
      await this.#advance(this.#random.int(8000));
    }
    for (const candidate of this.#candidates) this.#wake(candidate);
    // A lease duration, clock skew, and attempts two seconds apart: then there must be a leader.
    await this.#advance(30_000);
    const [leader, ...others] = this.#candidates.filter(({ elector }) => elector.isLeader);
    assert.ok(leader !== undefined && others.length === 0, 'there is one leader after the last fault');
    // A leader that stops releases the Lease, so that no candidate waits for its expiration.
    await this.#settled(leader.stop());
    await this.#advance(6000);
    assert.equal(
      this.#candidates.filter(({ elector }) => elector.isLeader).length,
      1,
      'the next candidate leads',
    );
    await this.#settled(Promise.all(this.#candidates.map((candidate) => candidate.stop())));
    this.#checkWrites();
  }

  /** Advances the clock until the condition holds. */
  async #settled(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    void work.then(() => {
      isOver = true;
    });
    for (let i = 0; i < 60 && !isOver; i++) await this.#base.advanceAsync(1000);
    await work;
  }

  async #advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1000) {
      await this.#base.advanceAsync(Math.min(left, 1000));
      const leading = this.#candidates.filter(({ clock, elector }) => !clock.isPaused && elector.isLeader);
      assert.ok(leading.length <= 1, 'there are two leaders');
    }
  }

  #disturb(): void {
    const candidate = this.#candidates[this.#random.int(CANDIDATES)] as Candidate;
    // Faults mostly concern leaders.
    const leader = this.#candidates.find(({ elector }) => elector.isLeader);
    const victim = this.#random.int(2) === 0 ? (leader ?? candidate) : candidate;
    switch (this.#random.int(6)) {
      case 0:
        victim.link = this.#random.int(2) === 0 ? 'down' : 'deaf';
        return;
      case 1:
        victim.link = 'up';
        return;
      case 2:
        victim.clock.pause();
        return;
      case 3:
      case 4:
        this.#wake(candidate);
        return;
      default:
        // An unrelated change, which increases the resourceVersion of the Lease.
        this.#touchLease();
    }
  }

  #wake(candidate: Candidate): void {
    candidate.link = 'up';
    if (candidate.clock.isPaused) {
      candidate.clock.resume((late) => (this.#random.int(2) === 0 ? late : late.reverse()));
    }
  }

  #touchLease(): void {
    const place = {
      collection: `${names.group('coordination')}/leases`,
      namespace: 'system',
      name: 'election',
    };
    const [lease] = this.#api.objects.list(place.collection);
    if (lease === undefined) return;
    const annotations = { touched: String(this.#random.int(1000)) };
    this.#api.objects.update(place, { ...lease.object, metadata: { ...lease.object.metadata, annotations } });
  }

  /** In the order of the server, no write of a leader follows one of a later leader. */
  #checkWrites(): void {
    const holders = new Map<number, string>();
    let last = -1;
    const writes = this.#api.requests.filter(({ target }) => target.includes('/configmaps/work'));
    for (const { userAgent } of writes) {
      const fence = fenceInUserAgent(userAgent);
      assert.ok(fence !== undefined, `a write without a fence: ${userAgent}`);
      assert.ok(fence.transitions >= last, `${fence.holder} wrote after a later leader`);
      assert.equal(
        holders.get(fence.transitions) ?? fence.holder,
        fence.holder,
        'two leaders have the same fence',
      );
      holders.set(fence.transitions, fence.holder);
      last = fence.transitions;
    }
    assert.ok(writes.length > 0, 'there was a leader');
  }
}
