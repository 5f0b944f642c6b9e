import type { ExtensionSchemas } from '@orch/discovery';
import { Backoff, withDeadline } from '@orch/machinery/concurrency';
import { KeyLoop } from '@orch/machinery/queue';
import type { ServerContext } from '@orch/registry';
import type { ForeignSchemas } from '@orch/schema';
import type { RemoteApi, RemoteApiServices } from '../remote/remote-api-services.ts';
import type { FetchContext } from './fetch-document.ts';
import { OpenApiMetrics } from './openapi-metrics.ts';
import { failureText } from './own-request.ts';
import type { ReadDocument, ReadMetrics } from './read-metrics.ts';
import { type KnownSchemas, readV2, readV3 } from './read-schemas.ts';

/** Servers that are read at a time. A document may need several times its size in memory. */
const WORKERS = 4;
/** Time limit for all documents of one version. */
const READ_TIMEOUT_MS = 10_000;
/** Servers whose documents cannot be used are read less often. */
const FIRST_RETRY_MS = 30_000;
const MAX_RETRY_MS = 600_000;

export interface ExtensionOpenApiOptions {
  readonly context: ServerContext;
  readonly remotes: RemoteApiServices;
  readonly reads: ReadMetrics;
}

/** The known facts about an API service. */
interface Known extends KnownSchemas {
  /** The server that the documents were read from: ETags and hashes of another server mean nothing here. */
  readonly remote: RemoteApi;
}

/** Failures in sequence. */
interface Failures {
  readonly backoff: Backoff;
  /** By the monotonic clock. */
  readonly notBefore: number;
}

/**
 * The published schemas of extension API servers, read in the background after each successful check when they have changed.
 * Those of a server that fails stay as they were read last, until its API service is deleted.
 */
export class ExtensionOpenApi implements ExtensionSchemas {
  readonly #options: ExtensionOpenApiOptions;
  readonly #loop: KeyLoop;
  readonly #metrics: OpenApiMetrics;
  /** By the name of the API service. */
  readonly #known = new Map<string, Known>();
  readonly #failures = new Map<string, Failures>();
  #schemas: readonly ForeignSchemas[] | undefined;

  constructor(options: ExtensionOpenApiOptions) {
    this.#options = options;
    this.#metrics = new OpenApiMetrics(options.context.env);
    this.#loop = new KeyLoop({
      env: options.context.env,
      name: 'extension_openapi',
      workers: WORKERS,
      failed: 'the OpenAPI documents of an extension API server could not be used',
      reconcile: (name, signal) => this.#reconcile(name, signal),
    });
    options.remotes.observe((name) => this.#changed(name));
  }

  get schemas(): readonly ForeignSchemas[] {
    this.#schemas ??= this.#listed();
    return this.#schemas;
  }

  /** A server was checked: its documents are read soon if it answered. */
  checked(name: string): void {
    this.#loop.add(name);
  }

  /** Reads documents until the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    return this.#loop.run(signal);
  }

  #changed(name: string): void {
    this.#schemas = undefined;
    this.#failures.delete(name);
    if (this.#known.get(name)?.remote.uid === this.#options.remotes.byName(name)?.uid) return;
    if (this.#known.delete(name)) this.#metrics.changed(name, 'delete');
  }

  async #reconcile(name: string, signal: AbortSignal): Promise<undefined> {
    const remote = this.#options.remotes.byName(name);
    const { clock } = this.#options.context.env;
    if (remote === undefined || remote.outage !== undefined) return;
    if (clock.monotonic() < (this.#failures.get(name)?.notBefore ?? 0)) return;
    const known = this.#known.get(name);
    const last = known?.remote === remote ? known : undefined;
    const v3 = await this.#attempt('openapi_v3', (context) => readV3(remote, last?.v3, context), signal);
    const done = this.#metrics.start();
    const v2 = await this.#attempt('openapi_v2', (context) => readV2(remote, last?.v2, context), signal);
    if (this.#options.remotes.byName(name) !== remote) return;
    this.#recordFailure(name, [v3, v2]);
    const read = {
      remote,
      v3: v3.kind === 'read' ? v3.schemas : known?.v3,
      v2: v2.kind === 'read' ? v2.schemas : known?.v2,
    };
    this.#known.set(name, read);
    if (known?.v3?.documents !== read.v3?.documents || known?.v2?.part !== read.v2?.part)
      this.#schemas = undefined;
    if (known?.v2?.part !== read.v2?.part) done(name, known?.v2 === undefined ? 'add' : 'update');
  }

  async #attempt<T>(
    document: ReadDocument,
    work: (context: FetchContext & { readonly signal: AbortSignal }) => Promise<T>,
    signal: AbortSignal,
  ): Promise<Attempt<T>> {
    const { names, env } = this.#options.context;
    using limit = withDeadline(signal, env.clock, READ_TIMEOUT_MS);
    try {
      const context = { names, clock: env.clock, signal: limit.signal };
      return { kind: 'read', schemas: await this.#options.reads.measure(document, () => work(context)) };
    } catch (error) {
      signal.throwIfAborted();
      return { kind: 'failed', error };
    }
  }

  /** The next attempt follows a later check: documents are large. */
  #recordFailure(name: string, attempts: readonly Attempt<unknown>[]): void {
    const errors = attempts.flatMap((attempt) => (attempt.kind === 'failed' ? [attempt.error] : []));
    if (errors.length === 0) {
      this.#failures.delete(name);
      return;
    }
    const { env } = this.#options.context;
    const backoff = this.#failures.get(name)?.backoff ?? new Backoff(env, FIRST_RETRY_MS, MAX_RETRY_MS);
    this.#failures.set(name, { backoff, notBefore: env.clock.monotonic() + backoff.next() });
    const why = { apiService: name, error: errors.map(failureText).join('; ') };
    env.log.warn('OpenAPI documents of an extension API server cannot be read', why);
  }

  /**
   * Every proxied group version, so that the schemas of custom resources in its place are not published. The order is
   * the same on all replicas, because names of definitions depend on it.
   */
  #listed(): readonly ForeignSchemas[] {
    const all = [...this.#options.remotes.all].map(({ declared }) => declared);
    return all.sort(byName).map(({ name, group, version }) => {
      const known = this.#known.get(name);
      return { path: `apis/${group}/${version}`, v3: known?.v3?.documents, v2: known?.v2?.part };
    });
  }
}

/** The result of reading the documents of one version. */
type Attempt<T> =
  | { readonly kind: 'read'; readonly schemas: T }
  | { readonly kind: 'failed'; readonly error: unknown };

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;
