import { type Client, createClient, fenceInUserAgent, type Transport } from '@orch/client';
import { type Env, namesFor } from '@orch/machinery';
import { createMetrics, silentLogger } from '@orch/machinery/env';
import { seededRandom, type TestEnv } from '@orch/machinery/testing';
import type { Store } from '@orch/storage';
import type { Faults } from '@orch/storage/conformance';
import type { WriteRecord } from '../shared/checks.ts';
import { User } from '../shared/user.ts';
import { createCrowdLevel } from './clients/crowd-level.ts';
import { Definer } from './clients/definer.ts';
import { Editor } from './clients/editor.ts';
import { Extender } from './clients/extender.ts';
import { Mover } from './clients/mover.ts';
import { Registers } from './clients/registers.ts';
import { Restorer } from './clients/restorer.ts';
import { Submitter } from './clients/submitter.ts';
import { CopierChecks, copierProgram } from './programs/copier.ts';
import { managerProgram } from './programs/manager.ts';
import { simulatedSettings } from './programs/manager-settings.ts';
import { type Observation, observerProgram } from './programs/observer.ts';
import { type Cast, type Event, REMAINDERS, type Schedule } from './schedule/schedule.ts';
import { AdmissionWebhooks } from './world/admission-webhooks.ts';
import { StoreConnections } from './world/connections.ts';
import { ConversionWebhook } from './world/conversion-webhook.ts';
import type { Defect } from './world/defect.ts';
import { ExtensionServers } from './world/extension-servers.ts';
import { Process, type Program } from './world/process.ts';
import { asTransport, Replica, throughAny } from './world/replica.ts';
import type { SimulatedStore } from './world/simulated-store.ts';
import { SimulationClock } from './world/simulation-clock.ts';
import { Stores } from './world/stores.ts';
import { Trace } from './world/trace.ts';

export const names = namesFor('orch');
const settings = simulatedSettings(names);

const REPLICAS = 2;
const START_MS = 3000;
/**
 * Times after the last fault until the final state is reached: with elections, and without. An informer may wait twice for ten
 * seconds: after a failure, and before the list after an expired watch.
 */
const ELECTION_MS = 40_000;
const INFORMER_MS = 24_000;
const SUPERVISION_MS = 4000;
/** How a conversion webhook fails. */
const failures = ['fails', 'hangs', 'changes other fields'] as const;
/** How far the wall clock steps at most, forward or back. */
const STEP_MS = 300_000;
const MAX_WAIT_MS = 60_000;
const RESTORE_MS = 500;

/**
 * A whole control plane on one fake clock: its store, API servers, managers, programs over the client library, and users. All
 * random choices come from the seed of a schedule.
 */
export class SimulatedCluster {
  readonly clock = new SimulationClock();
  readonly trace = new Trace(this.clock);
  readonly stores: Stores;
  readonly audit: WriteRecord[] = [];
  readonly copies = new CopierChecks();
  readonly replicas: readonly Replica[];
  readonly users: User;
  readonly registers: Registers;
  readonly #schedule: Schedule;
  readonly #editor: Editor;
  readonly #definer: Definer;
  readonly #submitter: Submitter;
  readonly #extensions: ExtensionServers;
  readonly #extender: Extender;
  readonly #operator: StoreConnections;
  readonly #mover: Mover;
  readonly #restorer: Restorer;
  readonly #administrator: Client;
  readonly #webhook = new ConversionWebhook();
  readonly #admission = new AdmissionWebhooks(this.clock);
  readonly #observations = new Map<string, readonly Observation[]>();
  readonly #programs: readonly Program[];
  #processes: Process[] = [];
  #started = 0;
  readonly #work: Promise<unknown>[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(schedule: Schedule, defect: Defect) {
    this.#schedule = schedule;
    const { clock, audit, trace } = this;
    const { seed, cast } = schedule;
    const stores = new Stores(clock, trace, cast.movers + cast.restorers > 0);
    if (cast.movers > 0) stores.add();
    this.stores = stores;
    this.#extensions = new ExtensionServers(clock, stores.history);
    const envOf = (factor: number, offset = 0): TestEnv => ({
      clock,
      random: seededRandom(seed * factor + offset),
      log: silentLogger,
      metrics: createMetrics(),
      entries: [],
    });
    this.replicas = Array.from({ length: REPLICAS }, (_, i) => {
      const random = seededRandom(seed * 13 + i);
      const openWebhook = cast.definers > 0 ? this.#webhook.open : undefined;
      const openAdmission = cast.submitters > 0 ? this.#admission.open : undefined;
      const hasFlowControl = cast.crowds > 0;
      const toExtensions = (sender: Replica) => this.#extensions.connectionsOf(() => sender);
      const openConnections = cast.extenders > 0 ? toExtensions : undefined;
      const releases = seededRandom(seed * 41 + i);
      const parts = {
        names,
        stores,
        random,
        audit,
        trace,
        defect,
        openWebhook,
        openAdmission,
        openConnections,
        hasFlowControl,
        releases,
      };
      return new Replica({ name: `server-${i}`, env: envOf(7, i), ...parts });
    });
    const env: Env = envOf(17);
    const transport = throughAny(env.random, this.replicas);
    this.users = new User(env, names, transport);
    this.#editor = new Editor(env, names, transport);
    this.#definer = new Definer(env, names, transport);
    this.#administrator = createClient({ transport, names, env, userAgent: 'administrator/1' });
    this.#submitter = new Submitter(env, names, { transport, webhooks: this.#admission });
    this.#extender = new Extender(env, names, { transport, servers: this.#extensions });
    const alter =
      defect.operator === undefined ? undefined : (store: Store) => defect.operator?.(store) ?? store;
    this.#operator = new StoreConnections({ clock, random: seededRandom(seed * 43), alter });
    this.#mover = new Mover(env, { stores, connections: this.#operator, trace });
    this.#restorer = new Restorer(env, names, { transport, stores, alter });
    this.registers = new Registers(env, names, { transport, clients: cast.registers + cast.crowds });
    this.#programs = this.#programsOf(cast);
  }

  #programsOf({ managers, copiers, observers }: Cast): readonly Program[] {
    const manager = managerProgram(names, settings);
    const copier = copierProgram(names, this.copies);
    const observer = observerProgram(names, this.stores.history, this.#observations);
    return [
      ...Array.from({ length: managers }, () => manager),
      ...Array.from({ length: copiers }, () => copier),
      ...Array.from({ length: observers }, () => observer),
    ];
  }

  /** The store that servers use. */
  get model(): SimulatedStore {
    return this.stores.current;
  }

  /** The informers of processes that run. */
  get observations(): readonly Observation[] {
    return this.#processes
      .filter(({ isAlive }) => isAlive)
      .flatMap(({ name }) => this.#observations.get(name) ?? []);
  }

  async start(): Promise<void> {
    for (const replica of this.replicas) await this.#until(replica.start());
    for (const program of this.#programs) this.#startProcess(program);
    const { submitters, crowds, extenders } = this.#schedule.cast;
    if (submitters > 0) await this.#until(this.#submitter.install());
    if (extenders > 0) await this.#until(this.#extender.install());
    if (crowds > 0) await this.#until(createCrowdLevel(this.#administrator));
    await this.clock.quiet();
    await this.clock.pass(START_MS);
  }

  /** All events of the schedule, and then time without faults. */
  async run(): Promise<void> {
    for (const event of this.#schedule.events) {
      await this.#happen(event);
      if (this.#schedule.cast.restorers > 0) this.#begin(this.#restorer.look());
      await this.clock.quiet();
      await this.clock.pass(event.afterMs);
      this.#check();
    }
    await this.#endFaults();
    // Users are done soon after the last fault; their results count from then.
    await this.#until(Promise.all(this.#work));
    const { managers, copiers, extenders } = this.#schedule.cast;
    if (this.#endsUnavailable) this.#extensions.failAll('refuses');
    const healMs = managers + copiers + extenders > 0 ? ELECTION_MS : INFORMER_MS;
    for (let passed = 0; passed < healMs; passed += SUPERVISION_MS) {
      // A process that was suspended for longer than its lease ends only now.
      this.#startEnded();
      await this.clock.pass(SUPERVISION_MS);
    }
    await this.#checkServers();
    this.#check();
  }

  /** What each server answers when nothing fails. */
  async #checkServers(): Promise<void> {
    const { definers, submitters, crowds, extenders } = this.#schedule.cast;
    const transports = this.replicas.map((one) => asTransport((...call) => one.send(...call)));
    if (definers > 0) await this.#until(this.#definer.check(transports));
    if (crowds > 0) await this.#until(this.registers.checkSeats(this.replicas));
    if (extenders > 0) await this.#checkExtension(transports);
    if (submitters > 0) await this.#until(this.#submitter.check(this.stores.history.changes, transports));
  }

  /** In a third of the simulations with an extension API server it fails at the end. */
  get #endsUnavailable(): boolean {
    return this.#schedule.cast.extenders > 0 && Math.floor(this.#schedule.seed / REMAINDERS) % 3 === 0;
  }

  async #checkExtension(transports: readonly Transport[]): Promise<void> {
    await this.#until(this.#extender.check(transports, !this.#endsUnavailable));
    this.#extensions.failAll('hangs');
    await this.#until(this.#extender.checkLocal(transports));
    this.#extensions.endFailures();
  }

  async stop(): Promise<void> {
    const alive = this.#processes.filter(({ isAlive }) => isAlive);
    await this.#until(Promise.all(alive.map((each) => each.stop())));
    for (const replica of this.replicas) await this.#until(replica.kill());
  }

  /** What holds at any time. */
  #check(): void {
    this.copies.check();
    for (const replica of this.replicas) replica.check();
    for (const observation of this.observations) observation.check();
    for (const { name, revision = 0 } of this.replicas)
      if (revision > this.stores.revision) throw new Error(`${name} is ahead of the store, at ${revision}`);
    this.#extender.checkCreations();
    if (this.#extensions.failure !== undefined) throw this.#extensions.failure;
    if (this.stores.history.failure !== undefined) throw this.stores.history.failure;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Advances time until a promise settles. */
  async #until(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    const settled = work.finally(() => {
      isOver = true;
    });
    settled.catch(() => undefined);
    await this.clock.quiet();
    for (let waited = 0; waited < MAX_WAIT_MS && !isOver; waited += 250) await this.clock.pass(250);
    if (!isOver) throw new Error('something is never over');
    await settled;
  }

  #begin(work: Promise<unknown>): void {
    const noted = work.catch((error: unknown) => {
      this.#failure ??= { error };
    });
    this.#work.push(noted);
  }

  #startProcess(program: Program): void {
    const { clock, replicas } = this;
    const random = seededRandom(this.#schedule.seed * 31 + this.#started);
    const identity = `process-${this.#started++}`;
    const process = new Process({ clock, random, replicas, identity, program });
    this.#processes.push(process);
    process.start();
  }

  /** Supervisors start ended processes. */
  #startEnded(): void {
    for (const { program } of this.#processes.filter(({ isAlive }) => !isAlive)) this.#startProcess(program);
    this.#processes = this.#processes.filter(({ isAlive }) => isAlive);
  }

  async #happen({ kind, choice }: Event): Promise<void> {
    const process = this.#victim(choice);
    const replica = this.replicas[choice % this.replicas.length] as Replica;
    const concerned = kind.includes('process ') ? process : kind.includes('server ') ? replica : undefined;
    this.trace.note(`event: ${kind}${concerned === undefined ? '' : ` (${concerned.name})`}`);
    switch (kind) {
      case 'users act':
        return this.#begin(this.users.act());
      case 'objects change':
        return this.#begin(this.#editor.change(choice));
      case 'registers work':
        return this.#begin(this.registers.work(choice));
      case 'custom objects change':
        return this.#begin(this.#definer.write(choice));
      case 'guarded objects change':
        return this.#begin(this.#submitter.submit(choice));
      case 'the parameter of the policy changes':
        return this.#begin(this.#submitter.changeLimit(choice));
      case 'an admission webhook fails':
        return this.#admission.fail(choice);
      case 'extension objects change':
        return this.#begin(this.#extender.act(choice));
      case 'an extension fails':
        return this.#extensions.fail(choice);
      case 'the extension moves':
        return this.#begin(this.#extender.replace(choice));
      case 'the content moves to the other store':
        return this.#begin(this.#mover.move(replica));
      case 'a backup is made':
        this.#begin(this.#restorer.backUp(choice));
        // Clients write meanwhile.
        return this.#begin(this.#editor.change(choice));
      case 'the backup is restored':
        return this.#restore(choice);
      case 'the definition is deleted':
        return this.#begin(this.#definer.undefine());
      case 'the conversion webhook fails':
        this.#webhook.state = failures[choice % failures.length] ?? 'fails';
        return;
      case 'a process is killed':
        return process?.kill();
      case 'a process is suspended':
        return process?.pause();
      case 'a process is cut off':
        if (process !== undefined) process.link = 'down';
        return;
      case 'the answers to a process are lost':
        if (process !== undefined) process.link = 'deaf';
        return;
      case 'a server is killed':
        return this.#until(replica.kill());
      case 'a server is restarted':
        await this.#until(replica.drain());
        return this.#until(replica.start());
      case 'the store loses requests and answers':
        // Another member becomes the leader: some requests and some responses are lost.
        return this.#setFaults({ unavailable: 0.3, replyLost: 0.1, requestLost: 0.1, watchCut: 0.1 });
      case 'the store is slow':
        return this.#setFaults({ delayMs: 1 + (choice % 500) });
      case 'the store is full':
        return this.#setFaults({ full: 0.7 });
      case 'the wall clock of the servers steps':
        return this.clock.setWallTime(this.clock.now() + (choice % (2 * STEP_MS)) - STEP_MS);
      case 'the watches of a server end':
        return replica.connections?.cutWatches();
      case 'the store is compacted':
        return this.#compact(choice);
      case 'ended processes are started':
        return this.#startEnded();
      case 'all faults end':
        return this.#endFaults();
    }
  }

  /** Servers are down while a store gets the content of the backup: the one that they used, or a new one. */
  async #restore(choice: number): Promise<void> {
    if (!this.#restorer.hasBackup) return;
    for (const replica of this.replicas) await this.#until(replica.kill());
    // Requests take no time here, and a restore does.
    await this.clock.pass(RESTORE_MS);
    const target = choice % 2 === 0 ? this.stores.current : this.stores.add();
    await this.#until(this.#restorer.restore(target, choice));
    this.stores.first = target;
    for (const replica of this.replicas) await this.#until(replica.start());
  }

  /** The process that a fault concerns: often the one that led last. */
  #victim(choice: number): Process | undefined {
    const any = this.#processes[choice % Math.max(1, this.#processes.length)];
    const last = this.audit.findLast(({ userAgent }) => fenceInUserAgent(userAgent) !== undefined);
    if (last === undefined || choice % 3 === 0) return any;
    const holder = fenceInUserAgent(last.userAgent)?.holder ?? '';
    return this.#processes.find(({ name }) => holder.startsWith(name)) ?? any;
  }

  #setFaults(faults: Faults): void {
    for (const { connections } of this.replicas) if (connections !== undefined) connections.faults = faults;
    this.#operator.faults = faults;
  }

  async #compact(choice: number): Promise<void> {
    await this.stores.current.forget(choice % 20);
  }

  async #endFaults(): Promise<void> {
    this.#webhook.state = 'works';
    this.#admission.endFailures();
    this.#extensions.endFailures();
    this.#setFaults({});
    for (const replica of this.replicas) if (!replica.isUp) await this.#until(replica.start());
    for (const process of this.#processes) {
      process.link = 'up';
      process.resume();
    }
  }
}
