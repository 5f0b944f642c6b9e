import type { DiscoveredResource, ExtensionApis, ExtensionState, ExtensionVersion } from '@orch/discovery';
import { jsonEquals } from '@orch/machinery/json';
import { KeyLoop } from '@orch/machinery/queue';
import type { ServerContext } from '@orch/registry';
import type { ResourceRequest } from '@orch/request';
import { pathOf } from '../api-services/api-service.ts';
import type { RemoteApi, RemoteApiServices } from '../remote/remote-api-services.ts';
import { fetchDocument } from './fetch-document.ts';
import type { ReadMetrics } from './read-metrics.ts';
import { discoveredResources } from './resource-list.ts';

/** Maximum size of the discovery document of one group version, in bytes. */
const MAX_BYTES = 1024 * 1024;
/** Servers that are read at a time. A slow one takes up to the time limit of a document. */
const WORKERS = 16;

/** The last resources of an extension API server. */
interface KnownResources {
  /** The server that they were read from: an ETag of another server means nothing here. */
  readonly remote: RemoteApi;
  readonly resources: readonly DiscoveredResource[];
  /** `resource` and `resource/subresource`. */
  readonly names: ReadonlySet<string>;
  readonly etag: string | undefined;
  readonly isCurrent: boolean;
}

export interface ExtensionDiscoveryOptions {
  readonly context: ServerContext;
  readonly remotes: RemoteApiServices;
  readonly reads: ReadMetrics;
}

/**
 * The resources of extension API servers, read in the background after each successful check, so that no request for
 * discovery waits for a server. While a server cannot be reached, its last response is marked as stale.
 */
export class ExtensionDiscovery implements ExtensionApis {
  readonly #options: ExtensionDiscoveryOptions;
  readonly #loop: KeyLoop;
  /** By the name of the API service. */
  readonly #known = new Map<string, KnownResources>();
  #state: ExtensionState | undefined;

  constructor(options: ExtensionDiscoveryOptions) {
    this.#options = options;
    this.#loop = new KeyLoop({
      env: options.context.env,
      name: 'extension_discovery',
      workers: WORKERS,
      failed: 'the resources of an extension API server could not be read',
      reconcile: (name, signal) => this.#reconcile(name, signal),
    });
    options.remotes.observe((name) => this.#changed(name));
  }

  get state(): ExtensionState {
    this.#state ??= this.#makeState();
    return this.#state;
  }

  /** Reports whether an extension API server has named a resource: other names of clients must not become labels of metrics. */
  servesResource({ group, version, resource, subresource }: ResourceRequest): boolean {
    const names = this.#known.get(`${version}.${group}`)?.names;
    return names?.has(subresource === '' ? resource : `${resource}/${subresource}`) === true;
  }

  /** A server was checked: its resources are read soon if it answered. */
  checked(name: string): void {
    this.#loop.add(name);
  }

  /** Reads documents until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#loop.run(signal);
  }

  #changed(name: string): void {
    this.#state = undefined;
    if (this.#known.get(name)?.remote.uid !== this.#options.remotes.byName(name)?.uid)
      this.#known.delete(name);
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<undefined> {
    const remote = this.#options.remotes.byName(name);
    if (remote === undefined) return;
    if (remote.outage !== undefined) {
      this.#setStale(name);
      return;
    }
    try {
      await this.#options.reads.measure('discovery', () => this.#read(remote, signal));
    } catch (error) {
      this.#setStale(name);
      throw error;
    }
  }

  async #read(remote: RemoteApi, signal: AbortSignal): Promise<void> {
    const { declared, backend } = remote;
    const { names, env } = this.#options.context;
    const known = this.#known.get(declared.name);
    const etag = known?.remote === remote ? known.etag : undefined;
    const fetched = await fetchDocument(
      backend,
      { path: pathOf(declared), accept: 'application/json', etag, maxBytes: MAX_BYTES },
      { names, clock: env.clock, signal },
    );
    if (this.#options.remotes.byName(declared.name) !== remote) return;
    if (fetched.kind === 'document') {
      const resources = discoveredResources(fetched.body, declared);
      this.#set(declared.name, {
        remote,
        resources,
        names: namesOf(resources),
        etag: fetched.etag,
        isCurrent: true,
      });
    } else if (fetched.kind === 'absent') {
      this.#setStale(declared.name);
    } else if (known !== undefined) this.#set(declared.name, { ...known, isCurrent: true });
  }

  #setStale(name: string): void {
    const known = this.#known.get(name);
    if (known !== undefined) this.#set(name, { ...known, isCurrent: false });
  }

  #set(name: string, found: KnownResources): void {
    const known = this.#known.get(name);
    this.#known.set(name, found);
    if (known?.isCurrent !== found.isCurrent || !jsonEquals(known.resources, found.resources))
      this.#state = undefined;
  }

  #makeState(): ExtensionState {
    const { remotes } = this.#options;
    const versions = [...remotes.all].map(({ declared }): ExtensionVersion => {
      const { name, group, version } = declared;
      const known = this.#known.get(name);
      return {
        group,
        version,
        apiVersion: `${group}/${version}`,
        discovered: known?.resources ?? [],
        freshness: known?.isCurrent === true ? 'Current' : 'Stale',
      };
    });
    return { versions, priorities: new Map(remotes.priorities) };
  }
}

const namesOf = (resources: readonly DiscoveredResource[]): ReadonlySet<string> =>
  new Set(
    resources.flatMap(({ resource, subresources = [] }) => [
      resource,
      ...subresources.map(({ subresource }) => `${resource}/${subresource}`),
    ]),
  );
