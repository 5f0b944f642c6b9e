import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningProcess, start } from '../process.ts';
import { run } from '../run.ts';
import { type Condition, readComposeFile, type Service } from './compose-file.ts';
import { type Edit, Placement } from './placement.ts';
import { commandOf, programPath } from './programs.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const START_MS = 60_000;
const STOP_MS = 15_000;

export interface ClusterOptions {
  /** Holds everything that the services write. */
  readonly folder: string;
  /** The beginning of their addresses, such as `127.20.0`. */
  readonly network: string;
  readonly edit: Edit;
  /** The services that are started; all when absent. */
  readonly only?: readonly string[];
  /** The command of a service, by its name, when it is another one than that of the file. */
  readonly command?: (service: string, words: readonly string[]) => readonly string[];
  /** The checkout whose built programs run when a service starts without another one; this one when absent. */
  readonly checkout?: string;
  readonly report: (line: string) => void;
}

/** The services of docker-compose.yml as processes of this machine. */
export class ComposeCluster implements AsyncDisposable {
  readonly placement: Placement;
  readonly #services: readonly Service[];
  readonly #options: ClusterOptions;
  readonly #reported = new Set<string>();
  readonly #running = new Map<string, RunningProcess>();

  constructor(options: ClusterOptions) {
    const all = readComposeFile(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), process.env);
    this.placement = new Placement(all, options.folder, options.network, options.edit);
    this.#services = all.filter(({ name }) => options.only?.includes(name) ?? true);
    this.#options = options;
  }

  /** The services that cannot run here, because their program is not installed. */
  missing(): readonly Service[] {
    return this.#services.filter((service) => programPath(commandOf(service)[0] ?? '') === undefined);
  }

  /** Starts all services in the order of their dependencies. Those of which the program is missing are left out. */
  async startAll(signal: AbortSignal): Promise<void> {
    const missing = new Set(this.missing().map(({ name }) => name));
    for (const service of this.#services.filter(({ name }) => !missing.has(name))) {
      for (const [name, condition] of Object.entries(service.dependsOn))
        await this.#reached(name, condition, signal);
      this.start(service.name);
    }
    const lasting = this.#services.filter(({ healthCommand }) => healthCommand.length > 0);
    for (const { name } of lasting.filter((each) => this.#running.has(each.name)))
      await this.#reached(name, 'service_healthy', signal);
  }

  /** Starts a service, from the built programs of another checkout when that is given. */
  start(name: string, checkout = this.#options.checkout ?? root): void {
    const service = this.#named(name);
    this.placement.prepare(service);
    const written = commandOf(service);
    const words = this.#words(service, this.#options.command?.(name, written) ?? written);
    const [program = '', ...args] = words.map((word) =>
      word.replace(join(root, 'bin'), join(checkout, 'bin')),
    );
    const cwd = this.#options.folder;
    this.#running.set(name, start(programPath(program) ?? program, args, { cwd }));
  }

  /** Waits until the service is healthy. */
  healthy(name: string, signal: AbortSignal): Promise<void> {
    return this.#reached(name, 'service_healthy', signal);
  }

  process(name: string): RunningProcess {
    const process = this.#running.get(name);
    if (process === undefined) throw new Error(`${name} does not run`);
    return process;
  }

  /** Stops the services: those that no other one needs first, and so on. */
  async [Symbol.asyncDispose](): Promise<void> {
    const remaining = new Set(this.#running.keys());
    while (remaining.size > 0) {
      const needed = new Set([...remaining].flatMap((name) => Object.keys(this.#named(name).dependsOn)));
      const next = [...remaining].filter((name) => !needed.has(name));
      await Promise.all(next.map((name) => stopSoon(this.process(name))));
      for (const name of next) remaining.delete(name);
    }
    this.#options.report('all processes are stopped');
  }

  async #reached(name: string, condition: Condition, signal: AbortSignal): Promise<void> {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
    while (!(await this.#has(name, condition))) {
      if (deadline.aborted)
        throw new Error(`${name} is not ready: ${this.process(name).output().slice(-2000)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const state = `${name.padEnd(11)} ${readiness[condition]}`;
    if (!this.#reported.has(state)) this.#options.report(state);
    this.#reported.add(state);
  }

  async #has(name: string, condition: Condition): Promise<boolean> {
    const { exitCode, signalCode } = this.process(name).child;
    const isOver = exitCode !== null || signalCode !== null;
    if (condition === 'service_completed_successfully' && !isOver) return false;
    if (isOver && exitCode !== 0)
      throw new Error(`${name} failed: ${this.process(name).output().slice(-2000)}`);
    const service = this.#named(name);
    if (isOver || condition === 'service_started' || service.healthCommand.length === 0) return true;
    const [program = '', ...args] = this.#words(service, service.healthCommand);
    return (await run(programPath(program) ?? program, args, { timeoutMs: 5_000 })).code === 0;
  }

  #words(service: Service, words: readonly string[]): readonly string[] {
    return words.map((word) => this.placement.argument(service, word));
  }

  #named(name: string): Service {
    const service = this.#services.find((each) => each.name === name);
    if (service === undefined) throw new Error(`no service ${name}`);
    return service;
  }
}

const readiness: Readonly<Record<Condition, string>> = {
  service_started: 'runs',
  service_healthy: 'is healthy',
  service_completed_successfully: 'has finished',
};

async function stopSoon(process: RunningProcess): Promise<void> {
  const late = setTimeout(() => process.child.kill('SIGKILL'), STOP_MS);
  await process.stop();
  clearTimeout(late);
}
