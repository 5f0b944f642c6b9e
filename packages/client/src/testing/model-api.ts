import { ApiError, type ApiObject, type Clock, errors, type Names, type Status } from '@orch/machinery';
import { cloneJson, isJsonObject, setField } from '@orch/machinery/json';
import { formatTime } from '@orch/machinery/time';
import type { Transport, TransportRequest, TransportResponse } from '../transport/transport.ts';
import { ModelObjects, type ObjectPlace } from './model-objects.ts';
import { type ModelRequest, readModelRequest } from './model-request.ts';
import { ModelWatch } from './model-watch.ts';

/** The clock of an in-memory server, and the faults between it and its clients. */
export interface ModelApiOptions {
  readonly names: Names;
  readonly clock: Clock;
  /**
   * Intercepts requests between client and server: calls `send(request)` to process a request, throws for a failure, or
   * waits. A request that was sent and whose response is withheld was processed.
   */
  readonly between?: (
    request: TransportRequest,
    signal: AbortSignal,
    send: () => Promise<TransportResponse>,
  ) => Promise<TransportResponse>;
  readonly hasStreamingLists?: boolean;
}

/**
 * An in-memory API server for tests of client code: objects of any resource, get, list in pages, watch with bookmarks and
 * initial events, create, update, merge patches, delete with preconditions and finalizers. It has no schemas, discovery or
 * identities. Time is that of its clock, and faults are injected by the test.
 */
export class ModelApi implements Transport {
  readonly objects = new ModelObjects();
  /** Every received request, without its body. */
  readonly requests: { readonly method: string; readonly target: string; readonly userAgent: string }[] = [];
  readonly watches = new Set<ModelWatch>();
  readonly #options: ModelApiOptions;

  constructor(options: ModelApiOptions) {
    this.#options = options;
  }

  async send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse> {
    signal.throwIfAborted();
    const { between } = this.#options;
    const respond = async (): Promise<TransportResponse> => this.#respond(request, signal);
    return between === undefined ? await respond() : await between(request, signal, respond);
  }

  reset(): void {
    for (const watch of [...this.watches]) watch.cut();
  }

  async close(): Promise<void> {
    this.reset();
  }

  #respond(request: TransportRequest, signal: AbortSignal): TransportResponse {
    const userAgent = String(request.headers['user-agent'] ?? '');
    this.requests.push({ method: request.method, target: request.target, userAgent });
    try {
      const read = readModelRequest(request);
      const isWatch = read.method === 'GET' && read.query.get('watch') === 'true';
      if (isWatch) return this.#watch(read, signal);
      return json(200, this.#handle(read));
    } catch (error) {
      if (error instanceof ApiError) return json(error.status.code, error.status);
      throw error;
    }
  }

  #handle(request: ModelRequest): ApiObject | Status | object {
    const { objects } = this;
    const { method, body, query } = request;
    const place: ObjectPlace = {
      collection: request.collection,
      namespace: request.namespace,
      name: request.name === '' ? (body?.metadata?.name ?? '') : request.name,
    };
    const now = formatTime(this.#options.clock.now());
    if (method === 'GET') return request.name === '' ? this.#list(request) : objects.get(place);
    if (query.has('dryRun')) throw errors.badRequest('the model knows no dry run');
    if (method === 'DELETE' && request.name !== '') {
      const { preconditions = {} } = (body ?? {}) as { preconditions?: { uid?: string } };
      return objects.delete(place, preconditions, now);
    }
    if (body === undefined) throw errors.badRequest('there is no body');
    if (method === 'POST' && request.name === '') return objects.create(place, body, now);
    if (method === 'PUT' && request.name !== '') return objects.update(place, body);
    if (method === 'PATCH' && /^application\/(strategic-)?merge-patch\+json$/.test(request.contentType)) {
      return objects.update(place, merged(objects.get(place), body) as ApiObject);
    }
    throw errors.methodNotAllowed(method);
  }

  #list(request: ModelRequest): object {
    const { objects } = this;
    const limit = Number(request.query.get('limit') ?? 0);
    const token = request.query.get('continue');
    const [revision = objects.revision, skip = 0] = token === null ? [] : token.split(':').map(Number);
    if (revision < objects.compactedThrough) throw errors.expired('the continue token has expired');
    const all = objects.list(request.collection, revision).filter(({ object }) => request.selects(object));
    const rest = all.slice(skip);
    const items = (limit > 0 ? rest.slice(0, limit) : rest).map(({ object }) => object);
    const next = rest.length > items.length ? `${revision}:${skip + items.length}` : undefined;
    return {
      kind: 'List',
      apiVersion: 'v1',
      metadata: { resourceVersion: String(revision), ...(next === undefined ? {} : { continue: next }) },
      items,
    };
  }

  #watch(request: ModelRequest, signal: AbortSignal): TransportResponse {
    if (request.query.has('sendInitialEvents') && this.#options.hasStreamingLists !== true) {
      throw errors.badRequest('sendInitialEvents is not known here');
    }
    const watch = new ModelWatch(
      {
        objects: this.objects,
        clock: this.#options.clock,
        request,
        initialEventsEnd: this.#options.names.annotations.initialEventsEnd,
        onEnd: (ended) => void this.watches.delete(ended),
      },
      signal,
    );
    this.watches.add(watch);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: watch.body() };
  }
}

function json(status: number, value: object): TransportResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(value));
  }
  return { status, headers: { 'content-type': 'application/json' }, body: body() };
}

/** JSON merge patch (RFC 7396); patches of maps alone mean the same in the strategic form. */
function merged(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return cloneJson(patch);
  const out: Record<string, unknown> = isJsonObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete out[name];
    else setField(out, name, merged(out[name], value));
  }
  return out;
}
