import {
  type ApiObject,
  type Client,
  createClient,
  type Impersonation,
  type LoadedConfig,
} from '@orch/client';
import { systemClock } from '@orch/machinery/env';
import { configAs } from './config-as.ts';
import { type EventuallyOptions, type Expectation, eventually } from './expect/eventually.ts';
import {
  type HistoryOptions,
  historyOf,
  historyText,
  type ObjectWrite,
  resourceOf,
} from './expect/history.ts';
import { type QuiescentOptions, quiescent } from './expect/quiescent.ts';
import { readManifests } from './manifests/read-manifests.ts';
import { MemoryStore } from './memory-store.ts';
import type { ControlPlane, ControlPlaneOptions } from './options.ts';
import { startPlaneServer, Undo } from './plane-server.ts';
import { controllersOf, type PlaneParts, Reserve } from './reserve.ts';
import { resetObjects } from './reset-objects.ts';
import { comesToRest, type Looks } from './rest.ts';
import { createAll, serveDefinitions } from './seed.ts';
import { planeEnv, type RunningControllers } from './server.ts';
import { readSnapshot, writeSnapshot } from './snapshot-file.ts';
import { serveWebhooks } from './webhooks/serve-webhooks.ts';
import {
  redirected,
  type TestWebhooks,
  type WebhookAddress,
  withConversion,
} from './webhooks/test-webhooks.ts';
import { createNodes } from './workloads/run-nodes.ts';
import { workloadsOf } from './workloads/workload-options.ts';

/** Writes that the failure message of `quiescent` lists. */
const RECENT = 20;
/** Revisions among which they are sought: some are writes that no history has. */
const RECENT_REVISIONS = 500;

/** Time between two looks whether the controllers have come to rest after the start. */
const LOOK_MS = 5;

const waiting = new AbortController().signal;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** See `startControlPlane`. */
export async function startPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const env = planeEnv();
  const { snapshot } = options;
  const { clock } = env;
  const store = snapshot === undefined ? new MemoryStore(clock) : await readSnapshot(snapshot, clock);
  const server = await startPlaneServer({ options, env, store });
  const plane = new RunningPlane({
    options,
    env,
    server,
    controllers: controllersOf({ options, env, server }),
  });
  try {
    await plane.begin();
    return plane;
  } catch (error) {
    await plane.stop();
    throw error;
  }
}

class RunningPlane implements ControlPlane {
  readonly #parts: PlaneParts;
  readonly #reserve: Reserve;
  readonly #undo = new Undo();
  readonly #forks = new Set<RunningPlane>();
  readonly #client: Client;
  readonly #config: LoadedConfig;
  readonly #stopped = new AbortController();
  /** The revision of the start, the last reset or the fork. */
  #since: string;
  #controllers: RunningControllers | undefined;
  /** Whether the state of resets contains what the controllers make of the objects of the options, or never will. */
  #isSettled = false;
  /** Whether only the controllers may have written since the start. */
  #isUntouched = (): boolean => false;

  constructor(parts: PlaneParts) {
    this.#parts = parts;
    this.#reserve = new Reserve(parts, Math.max(1, parts.options.forks ?? 0));
    this.#config = { ...parts.server.config, stopped: this.#stopped.signal };
    this.#undo.add(() => parts.server.stop());
    this.#undo.add(async () => this.#controllers?.stop());
    this.#undo.add(() => this.#reserve.stop());
    this.#undo.add(() => Promise.all(Array.from(this.#forks, (fork) => fork.stop())));
    this.#controllers = parts.controllers;
    this.#client = createClient(parts.server.config);
    this.#since = String(parts.server.store.revision);
  }

  get config() {
    return this.#config;
  }

  configAs(user: Impersonation): LoadedConfig {
    return configAs(this.#config, user);
  }

  get url() {
    return this.#parts.server.running.url;
  }

  get configFile() {
    return this.url === '' ? '' : this.#parts.server.running.adminConfig;
  }

  /** Makes the objects of the options; the state with them is the one of resets. */
  async begin(): Promise<void> {
    const { crds = [], seed = [], webhooks } = this.#parts.options;
    const context = { client: this.#client, env: this.config.env };
    const address = webhooks === undefined ? undefined : await this.#serve(webhooks);
    const found = await readManifests(crds, /^CustomResourceDefinition$/);
    const definitions = address === undefined ? found : found.map((crd) => withConversion(crd, address));
    await serveDefinitions(context, definitions, waiting);
    const workloads = workloadsOf(this.#parts.options);
    if (workloads !== undefined) await createNodes(this.config, workloads.nodes);
    await createAll(this.#client, await readManifests(seed), waiting);
    if (webhooks !== undefined && address !== undefined) await this.#register(webhooks, address);
    this.#mark();
    this.#isSettled = workloads !== undefined || this.#parts.controllers === undefined;
    if (!this.#isSettled) this.#settleAlone();
    if ((this.#parts.options.forks ?? 0) === 0) return;
    this.#reserve.fill();
    await this.#reserve.ready();
  }

  /** Begins to settle without delaying anyone. */
  #settleAlone(): void {
    const { server, env } = this.#parts;
    const { clock } = env;
    const { foreignWrites, settings } = server;
    const begin = { writes: foreignWrites.count, aheadMs: clock.aheadMs };
    this.#isUntouched = () =>
      !this.#stopped.signal.aborted &&
      foreignWrites.count === begin.writes &&
      clock.aheadMs === begin.aheadMs &&
      // Requests to other threads are not seen.
      settings.flags.threads === 1;
    const pause = (): Promise<void> => new Promise((resolve) => clock.schedule(LOOK_MS, resolve));
    void this.#settle({ pause, isOver: () => !this.#isUntouched() });
  }

  async reset(): Promise<void> {
    if (this.#isSettled || !(await this.#hasSettled())) await this.#reset();
    this.#since = String(this.#parts.server.store.revision);
  }

  /** Without a write of others there is nothing to reset, only the work of the controllers after the start to wait for. */
  async #hasSettled(): Promise<boolean> {
    await this.#settle({ pause: nextTurn, isOver: () => !this.#isUntouched() });
    return this.#isSettled;
  }

  async #reset(): Promise<void> {
    this.#isUntouched = () => false;
    // A controller may remember objects that it has seen deleted.
    await this.#controllers?.pause();
    const follow = await resetObjects({ ...this.#parts, controllers: this.#controllers });
    if (follow) {
      this.#controllers?.resume();
    } else {
      await this.#controllers?.stop();
      this.#controllers = controllersOf(this.#parts);
    }
    if (this.#isSettled) return;
    await this.#settle({ pause: nextTurn });
    // Controllers that do not come to rest are awaited once.
    this.#isSettled = true;
  }

  /**
   * What the controllers make of the objects of the options becomes part of the state of resets, so that they do not make it again each
   * time: once they are at rest after the start, unless others may have written before; after the first reset otherwise. With workloads,
   * pods would start only once.
   */
  async #settle(looks: Looks): Promise<void> {
    const parts = { ...this.#parts, controllers: this.#controllers };
    if (!(await comesToRest(parts, looks)) || looks.isOver?.() === true) return;
    this.#isSettled = true;
    parts.server.store.mark();
  }

  #mark(): void {
    const { store } = this.#parts.server;
    store.mark();
    this.#since = String(store.revision);
  }

  async serveWebhooks(webhooks: TestWebhooks): Promise<void> {
    await this.#register(webhooks, await this.#serve(webhooks));
  }

  async #serve(webhooks: TestWebhooks): Promise<WebhookAddress> {
    const { config, certificates } = this.#parts.server;
    const served = await serveWebhooks(webhooks, { config, certificates });
    this.#undo.add(() => served.stop());
    return served.address;
  }

  async #register({ configurations = [] }: TestWebhooks, address: WebhookAddress): Promise<void> {
    const found = await readManifests(configurations, /WebhookConfiguration$/);
    const objects = found.map((one) => redirected(one, address));
    await createAll(this.#client, objects, waiting);
    // A list without a version shows all writes before it, so the server knows the configurations then.
    for (const object of objects)
      await this.#client.resource(await resourceOf(this.#client, object)).list({ limit: 1 });
  }

  eventually<T extends ApiObject, R>(
    object: T,
    expectation: Expectation<T, R>,
    options?: EventuallyOptions,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    return eventually(
      { client: this.#client, env: { ...this.config.env, clock: systemClock } },
      { object, expectation },
      options,
      signal,
    );
  }

  history(options: HistoryOptions = {}, signal?: AbortSignal): Promise<readonly ObjectWrite[]> {
    return historyOf(this.#client, { since: this.#since, ...options }, signal);
  }

  quiescent(options?: QuiescentOptions, signal?: AbortSignal): Promise<void> {
    const { env, server } = this.#parts;
    const activity = {
      clock: systemClock,
      work: env.work,
      revision: () => server.store.revision,
      recentWrites: async () => historyText(await this.#recentWrites()),
    };
    return quiescent(activity, options, signal);
  }

  /** Reads only the end of the history: objects that change all the time have a long one. */
  async #recentWrites(): Promise<readonly ObjectWrite[]> {
    const since = Math.max(Number(this.#since), this.#parts.server.store.revision - RECENT_REVISIONS);
    return (await this.history({ since: String(since) })).slice(-RECENT);
  }

  advance(ms: number): Promise<void> {
    return this.#parts.env.clock.advance(ms);
  }

  async snapshot(file: string): Promise<void> {
    const { env, server } = this.#parts;
    await writeSnapshot(server.store, file, env.clock);
  }

  async fork(): Promise<ControlPlane> {
    const parts = await this.#reserve.take();
    const { clock } = parts.env;
    await clock.advance(Math.max(0, this.#parts.env.clock.aheadMs - clock.aheadMs));
    parts.server.store.fork();
    const fork = new RunningPlane(parts);
    fork.#isSettled = true;
    this.#forks.add(fork);
    fork.#undo.add(async () => this.#forks.delete(fork));
    setImmediate(() => this.#reserve.fill());
    return fork;
  }

  stop(): Promise<void> {
    this.#stopped.abort(new Error('the control plane is stopped'));
    return this.#undo.run();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
