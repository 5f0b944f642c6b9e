import { isAlreadyExists, isConflict, isNotFound, type ResourceClient, TransportError } from '@orch/client';
import { ApiError, type Env, messageOf, type Names } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { asObject } from '@orch/machinery/json';
import { StartError } from '@orch/program';
import type { Action, FileReport } from './draft.ts';
import type { Plan } from './plan.ts';
import { filesIn, type SecretContent, secretObject, secretsOf, sourceName } from './secrets.ts';

export interface SecretStoreOptions {
  /** The Secrets of the namespace. */
  readonly secrets: ResourceClient;
  readonly prefix: string;
  readonly names: Names;
  readonly env: Pick<Env, 'clock' | 'random'>;
}

interface Stored {
  readonly files: ReadonlyMap<string, string>;
  /** Undefined when there is no such Secret. */
  readonly resourceVersion: string | undefined;
}

const TRIES = 20;
const WAIT_MS = 50;

/**
 * The files of a cluster in Secrets. One Secret has all files and is the only one that plans are made from: it changes by one
 * write, which fails when another run has changed it, so that files of different runs are never combined. The Secrets of
 * the programs are copies of its parts.
 */
export class SecretStore {
  readonly #options: SecretStoreOptions;

  constructor(options: SecretStoreOptions) {
    this.#options = options;
  }

  /** The plan for the stored files, without a change. */
  async preview(planFor: (files: ReadonlyMap<string, string>) => Plan, signal: AbortSignal): Promise<Plan> {
    return planFor((await this.#read(sourceName(this.#options.prefix), signal)).files);
  }

  /** Makes the changes of a plan; it is made again when another run was faster. */
  async update(planFor: (files: ReadonlyMap<string, string>) => Plan, signal: AbortSignal): Promise<Plan> {
    const name = sourceName(this.#options.prefix);
    const plan = await this.#again(name, signal, async () => {
      const stored = await this.#read(name, signal);
      const made = planFor(stored.files);
      const files = new Map(stored.files);
      for (const { file, text } of made.changes) {
        if (text === undefined) files.delete(file);
        else files.set(file, text);
      }
      if (made.changes.length > 0) await this.#write({ name, files }, stored, signal);
      return made;
    });
    return { ...plan, files: [...plan.files, ...(await this.#copyAll(signal))] };
  }

  async #copyAll(signal: AbortSignal): Promise<readonly FileReport[]> {
    const { prefix } = this.#options;
    const source = await this.#read(sourceName(prefix), signal);
    const reports: FileReport[] = [];
    for (const { name } of secretsOf(prefix, source.files)) reports.push(await this.#copy(name, signal));
    return reports;
  }

  /** The copy is read before its source: a copy that is newer than the source that was read cannot be overwritten. */
  #copy(name: string, signal: AbortSignal): Promise<FileReport> {
    const { prefix } = this.#options;
    return this.#again(name, signal, async () => {
      const copy = await this.#read(name, signal);
      const { files } = await this.#read(sourceName(prefix), signal);
      const content = secretsOf(prefix, files).find((one) => one.name === name);
      const isSame = content === undefined || haveSame(copy.files, content.files);
      if (content !== undefined && !isSame) await this.#write(content, copy, signal);
      const action: Action = isSame ? 'kept' : copy.resourceVersion === undefined ? 'created' : 'updated';
      return { file: `secret/${name}`, action };
    });
  }

  async #read(name: string, signal: AbortSignal): Promise<Stored> {
    try {
      const secret = await this.#options.secrets.get(name, {}, signal);
      const data = asObject(asObject(secret)?.['data']) ?? {};
      return { files: filesIn(data, this.#options.names), resourceVersion: secret.metadata.resourceVersion };
    } catch (error) {
      if (isNotFound(error)) return { files: new Map(), resourceVersion: undefined };
      throw error;
    }
  }

  async #write(content: SecretContent, { resourceVersion }: Stored, signal: AbortSignal): Promise<void> {
    const { secrets } = this.#options;
    const namespace = secrets.namespace ?? '';
    if (resourceVersion === undefined) await secrets.create(secretObject(content, { namespace }), {}, signal);
    else await secrets.update(secretObject(content, { namespace, resourceVersion }), {}, signal);
  }

  /** Repeats work after a conflict, and after an unknown outcome: it begins with a read. */
  async #again<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { env, secrets } = this.#options;
    for (let tried = 1; ; tried++) {
      try {
        return await work();
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof StartError) throw error;
        if (!canRepeat(error) || tried === TRIES)
          throw new StartError(`secret ${name} in namespace ${secrets.namespace}: ${messageOf(error)}`, {
            cause: error,
          });
      }
      await sleep(env.clock, WAIT_MS + env.random.int(WAIT_MS * tried), signal);
    }
  }
}

const canRepeat = (error: unknown): boolean =>
  isConflict(error) ||
  isAlreadyExists(error) ||
  error instanceof TransportError ||
  (error instanceof ApiError && error.status.code >= 500);

const haveSame = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([file, text]) => b.get(file) === text);
