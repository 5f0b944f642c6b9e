import type { Scope, UnreadableObject, WatchQuery } from '@orch/cache';
import { ApiError, errors, type Random } from '@orch/machinery';
import {
  type ApiRequest,
  acceptWebSocket,
  type Reply,
  type ResourceRequest,
  type StreamReply,
  webSocketReply,
} from '@orch/request';
import { StoreError } from '@orch/storage';
import type { ReadPath } from '../context/paths.ts';
import { type ListOptions, watchOptions, watchPlan } from '../request/list-options.ts';
import { scopeOf, selectionOf } from '../request/object-filter.ts';
import { headersOf, queryOf, responseFormatOf } from '../request/reply.ts';
import { explainFuture } from '../request/resource-version.ts';
import { errorAbout, unreadableError } from '../resource/refuse-unreadable.ts';
import type { StoredResource } from '../resource/served-resource.ts';
import { ConvertingSink } from './converting-sink.ts';
import { WatchStream } from './watch-stream.ts';

/** Size of the length before each event of a Protobuf stream. */
const LENGTH_BYTES = 4;

/** Upper limit of `timeoutSeconds`. */
const MAX_WATCH_MS = 24 * 60 * 60 * 1000;

/**
 * `watch` (spec 4.4, third table; 6). Fails with a Status before the stream opens when the request is invalid, or when it
 * starts at a revision that the server has not reached (504). A compacted history is always reported inside the stream:
 * 200, one ERROR event with the 410, end. Clients that resume a watch expect it only there. Over WebSocket each event is one
 * message: text for JSON, binary for Protobuf, Base64 if the client chooses it.
 */
export async function watch(
  path: ReadPath,
  resource: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
): Promise<Reply> {
  const webSocket = acceptWebSocket(request, path.names);
  const query = queryOf(request);
  const options = watchOptions(query, path.names);
  const selection = selectionOf(options.labelSelector, options.fieldSelector, resource);
  const format = responseFormatOf(request, query, path.negotiator, resource.shapes.watch);
  const { type, cache, encodings } = resource;
  const series = path.metrics.watch(resource);
  const stream = new WatchStream({
    frames: encodings.watchFrames(format),
    clock: path.env.clock,
    timeoutMs: timeoutMs(options, path.limits.minRequestTimeoutMs, path.env.random),
    events: series.events,
    sizes: series.sizes,
  });
  const namespace = type.namespaced ? info.namespace : '';
  const start = await startOf(options, resource, request);
  const scope = scopeOf(type.namespaced, namespace, info.name === '' ? selection.name : info.name);
  refuseUnknownStart(resource, scope, start);
  stream.explainLoss = () => unreadableError(resource, scope);
  const watchQuery: WatchQuery = {
    scope,
    filter: selection.filter,
    start,
    bookmarks: options.allowWatchBookmarks,
  };
  try {
    const sink = encodings.converts ? converting(resource, stream, request.signal) : stream;
    const handle = await cache.watch(watchQuery, sink, request.signal);
    sink.attach(handle);
    stream.attach(handle);
  } catch (cause) {
    if (!(cause instanceof StoreError) || cause.code !== 'compacted') throw cause;
    stream.end('expired');
  }
  const reply: StreamReply = {
    kind: 'stream',
    isLast: true,
    status: 200,
    headers: headersOf(format),
    run: (sink, signals) => stream.run(sink, signals),
  };
  if (webSocket === undefined) return reply;
  const { encoding } = format.representation;
  const socketOptions = {
    accepted: webSocket,
    clock: path.env.clock,
    isText: encoding === 'json',
    prefixBytes: encoding === 'protobuf' ? LENGTH_BYTES : 0,
  };
  return webSocketReply(reply, socketOptions, () => stream.abandon());
}

/** A watch may start after the last change of every unreadable object: then it delivers no event about it. */
function refuseUnknownStart(resource: StoredResource, scope: Scope, start: WatchQuery['start']): void {
  const isUnknown = ({ rev }: UnreadableObject): boolean => start.kind === 'state' || start.rev < rev;
  const objects = resource.cache.unreadable(scope).filter(isUnknown);
  if (objects.length > 0) throw errorAbout(resource.type, objects);
}

const converting = (
  { encodings }: StoredResource,
  stream: WatchStream,
  signal: AbortSignal,
): ConvertingSink =>
  new ConvertingSink({
    view: (objects) => encodings.view(objects, signal),
    sink: stream,
    failed: (error) => stream.fail((error instanceof ApiError ? error : errors.internal(error)).status),
  });

/** Waits until the cache is as fresh as the watch requires, and returns where it starts. */
async function startOf(
  options: ListOptions,
  { cache }: StoredResource,
  request: ApiRequest,
): Promise<WatchQuery['start']> {
  const { freshness, start } = watchPlan(options);
  if (!cache.isFresh(freshness)) {
    try {
      await cache.waitFresh(freshness, request.signal);
    } catch (cause) {
      throw explainFuture(cause, options.resourceVersion, cache.revision());
    }
  }
  switch (start) {
    case 'state':
      return { kind: 'state', initialEventsEnd: false };
    case 'stateWithEnd':
      return { kind: 'state', initialEventsEnd: true };
    case 'now':
      return { kind: 'after', rev: cache.revision() };
    default:
      return { kind: 'after', rev: start.after };
  }
}

/** The requested timeout, else a random time between the minimum and twice the minimum, so that watches do not end together. */
function timeoutMs(options: ListOptions, minimumMs: number, random: Random): number {
  const { timeoutSeconds } = options;
  if (timeoutSeconds !== undefined && timeoutSeconds > 0)
    return Math.min(timeoutSeconds * 1000, MAX_WATCH_MS);
  return minimumMs + random.int(Math.max(1, minimumMs));
}
