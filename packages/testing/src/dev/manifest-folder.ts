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

interface FileState {
  readonly text: string;
  readonly known: KnownFile | undefined;
  /** The names of objects in other files that have changed: who removes one of two files with an object wants that of the other. */
  readonly changed: ReadonlySet<string>;
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
   * Applies new and changed files and others with the same objects, and deletes objects that no file has any more. A file can fail
   * because another one defines its kind: it is tried again while files succeed or definitions become served. Failures are reported.
   * Rejects with the reason of the signal, and when the folder or the definitions cannot be read.
   */
  async sync(signal: AbortSignal): Promise<void> {
    const texts = manifestTexts(this.#folder);
    const before = this.#files;
    this.#files = new Map();
    let pending = [...texts.keys()];
    const failures = new Map<string, string>();
    const changed = changedObjects(before, texts);
    const definitions = { client: this.#client, env: this.#env };
    let served = await servedDefinitions(definitions, signal);
    for (let progress = true; progress && pending.length > 0; ) {
      const failed: string[] = [];
      for (const name of pending) {
        const text = texts.get(name) ?? '';
        const known = before.get(name);
        const failure = await this.#apply(name, { text, known, changed }, signal);
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
      this.#report({ event: 'failed', file: name, message: failures.get(name) ?? '' });
    await this.#deleteAbsent(before, signal);
  }

  /** Applies a file unless it was applied and another file with its objects has not changed; returns the failure. */
  async #apply(
    name: string,
    { text, known, changed }: FileState,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    if (known?.appliedText === text && !hasAny(known.objects, changed)) {
      this.#files.set(name, known);
      return undefined;
    }
    const applied = new Map<string, ApiObject>();
    try {
      const onApplied = (object: ApiObject): void => void applied.set(nameOf(object), object);
      await applyYaml(this.#client, text, { fieldManager: FIELD_MANAGER, force: true, onApplied }, signal);
      this.#files.set(name, { appliedText: text, objects: applied });
      this.#report({ event: 'applied', file: name, objects: applied.size });
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      // The objects of a file with a mistake stay, and those before the mistake are objects of the file.
      const objects = new Map([...(known?.objects ?? []), ...applied]);
      this.#files.set(name, { appliedText: undefined, objects });
      return `${messageOf(error)}${partlyApplied(applied.size)}`;
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

/** The objects of files that were changed or removed since they were applied. */
const changedObjects = (
  files: ReadonlyMap<string, KnownFile>,
  texts: ReadonlyMap<string, string>,
): ReadonlySet<string> =>
  new Set(
    [...files].flatMap(([name, { appliedText, objects }]) =>
      texts.get(name) === appliedText ? [] : [...objects.keys()],
    ),
  );

function hasAny(objects: ReadonlyMap<string, unknown>, names: ReadonlySet<string>): boolean {
  for (const name of objects.keys()) if (names.has(name)) return true;
  return false;
}

const partlyApplied = (objects: number): string => {
  if (objects === 0) return '';
  return objects === 1
    ? '; the object before it is applied'
    : `; the ${objects} objects before it are applied`;
};

const nameOf = ({ apiVersion, kind, metadata }: ApiObject): string =>
  `${apiVersion} ${kind} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name}`;
