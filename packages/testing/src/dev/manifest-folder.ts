import { ApiError, type ApiObject, applyYaml, type Client, type Env } from '@orch/client';
import { messageOf } from '@orch/machinery';
import { manifestTexts } from '../manifests/manifest-texts.ts';
import { servedDefinitions } from '../seed.ts';
import type { Report } from './dev-output.ts';

const FIELD_MANAGER = 'orch-dev';

/** What is known of a file. */
interface KnownFile {
  /** Its text, once it was applied. */
  readonly appliedText: string | undefined;
  /** The objects that it has created, by their names. */
  readonly objects: ReadonlyMap<string, ApiObject>;
}

/**
 * The objects of a folder of manifests. `sync` makes those of the server equal to those of the files; it must not be called while
 * it runs.
 */
export class ManifestFolder {
  readonly #folder: string;
  readonly #client: Client;
  readonly #env: Env;
  readonly #report: Report;
  #files = new Map<string, KnownFile>();

  constructor(
    folder: string,
    { client, env }: { readonly client: Client; readonly env: Env },
    report: Report,
  ) {
    this.#folder = folder;
    this.#client = client;
    this.#env = env;
    this.#report = report;
  }

  /** Forgets what was applied, after the server has lost it. */
  forget(): void {
    this.#files.clear();
  }

  /**
   * Applies new and changed files, and deletes objects that no file has any more. A file that fails, because another one defines its kind, is
   * tried again while files succeed or definitions become served. Failures are reported. Rejects with the reason of the signal, and when the
   * folder or the definitions cannot be read.
   */
  async sync(signal: AbortSignal): Promise<void> {
    const texts = manifestTexts(this.#folder);
    const before = this.#files;
    this.#files = new Map();
    let pending = [...texts.keys()];
    const failures = new Map<string, unknown>();
    const definitions = { client: this.#client, env: this.#env };
    let served = await servedDefinitions(definitions, signal);
    for (let progress = true; progress && pending.length > 0; ) {
      const failed: string[] = [];
      for (const name of pending) {
        const text = texts.get(name) ?? '';
        const failure = await this.#apply(name, { text, known: before.get(name) }, signal);
        if (failure !== undefined) {
          failures.set(name, failure);
          failed.push(name);
        }
      }
      const servedBefore = served;
      if (failed.length > 0) served = await servedDefinitions(definitions, signal);
      progress = failed.length < pending.length || served > servedBefore;
      pending = failed;
    }
    for (const name of pending)
      this.#report({ event: 'failed', file: name, message: messageOf(failures.get(name)) });
    await this.#deleteAbsent(before, signal);
  }

  /** Applies a file unless it was applied; returns the failure. */
  async #apply(
    name: string,
    { text, known }: { readonly text: string; readonly known: KnownFile | undefined },
    signal: AbortSignal,
  ): Promise<unknown> {
    if (known?.appliedText === text) {
      this.#files.set(name, known);
      return undefined;
    }
    try {
      const options = { fieldManager: FIELD_MANAGER, force: true };
      const applied = await applyYaml(this.#client, text, options, signal);
      this.#files.set(name, {
        appliedText: text,
        objects: new Map(applied.map((object) => [nameOf(object), object])),
      });
      this.#report({ event: 'applied', file: name, objects: applied.length });
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      // The objects of a file with a mistake stay.
      this.#files.set(name, { appliedText: undefined, objects: known?.objects ?? new Map() });
      return error;
    }
  }

  async #deleteAbsent(before: ReadonlyMap<string, KnownFile>, signal: AbortSignal): Promise<void> {
    const all = [...this.#files.values()].flatMap(({ objects }) => [...objects]);
    const names = new Set(all.map(([name]) => name));
    // An object whose file names another version of its kind is the same one.
    const uids = new Set(all.map(([, { metadata }]) => metadata.uid));
    for (const { objects } of before.values())
      for (const [name, object] of objects)
        if (!names.has(name) && !uids.has(object.metadata.uid)) await this.#delete(name, object, signal);
  }

  async #delete(
    name: string,
    { apiVersion = '', kind = '', metadata }: ApiObject,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const resource = await this.#client.discovery.forKind(apiVersion, kind, signal);
      if (resource !== undefined)
        await this.#client.resource(resource, metadata.namespace).delete(metadata.name ?? '', {}, signal);
      this.#report({ event: 'deleted', object: name });
    } catch (error) {
      signal.throwIfAborted();
      // It may be gone with its namespace or its definition.
      if (error instanceof ApiError && error.status.code === 404) return;
      this.#report({ event: 'failed', file: name, message: messageOf(error) });
    }
  }
}

const nameOf = ({ apiVersion, kind, metadata }: ApiObject): string =>
  `${apiVersion} ${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
