import { type Freshness, type ListPage, type Scope, UnreadableObjectsError } from '@orch/cache';
import { errors } from '@orch/machinery';
import { whenFulfilled } from '@orch/machinery/concurrency';
import { type Answer, type ApiRequest, emptyQuery, type Reply, type ResourceRequest } from '@orch/request';
import { StoreError } from '@orch/storage';
import type { ReadPath } from '../context/paths.ts';
import type { Continuation, ContinueTokens, ListIdentity } from '../continue-token/continue-token.ts';
import type { EncodedList } from '../encode/json-lists.ts';
import type { ListMetadata } from '../encode/list-metadata.ts';
import type { ResponseFormat } from '../encode/response-format.ts';
import { type ListOptions, listOptions, listPlan, plainListOptions } from '../request/list-options.ts';
import { type Selection, scopeOf, selectionOf } from '../request/object-filter.ts';
import { headersOf, queryOf, responseFormatOf } from '../request/reply.ts';
import { explainFuture } from '../request/resource-version.ts';
import { errorAbout, refuseUnreadable } from '../resource/refuse-unreadable.ts';
import type { StoredResource } from '../resource/served-resource.ts';

/** A parsed list request. */
interface ListRequest {
  readonly path: ReadPath;
  readonly resource: StoredResource;
  readonly options: ListOptions;
  readonly selection: Selection;
  readonly identity: ListIdentity;
  readonly format: ResponseFormat;
  readonly request: ApiRequest;
}

/** `list` (spec 4.4, second table; 4.6). Synchronous when the cache is fresh enough and the page is in memory. */
export function list(
  path: ReadPath,
  resource: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
): Answer {
  const parsed = parseListRequest(path, resource, info, request);
  return whenFulfilled(readPage(parsed), respondReadable, parsed);
}

/** Clients would take a list with a missing or incomplete object for the state. */
function respondReadable(page: ListPage, parsed: ListRequest): Answer {
  refuseUnreadable(parsed.resource, scopeIn(parsed));
  return respond(page, parsed);
}

/** The page for a deletecollection with the same query, and the metadata of its list. */
export async function readForDelete(
  path: ReadPath,
  resource: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
): Promise<{ readonly page: ListPage; readonly metadata: ListMetadata }> {
  const parsed = parseListRequest(path, resource, info, request);
  // Converted before anything is deleted.
  const read = await readPage(parsed);
  refuseUnreadable(resource, scopeIn(parsed));
  const page = await inVersion(read, parsed);
  const tokens = page.next === undefined ? undefined : await path.tokens.ready(request.signal);
  return { page, metadata: metadataOf(parsed, page, tokens) };
}

/** The page with its objects in the served version. */
function inVersion(page: ListPage, { resource, request }: ListRequest): ListPage | Promise<ListPage> {
  const { encodings } = resource;
  if (!encodings.converts) return page;
  return whenFulfilled(encodings.view(page.objects, request.signal), withObjects, page);
}

const withObjects = (objects: ListPage['objects'], page: ListPage): ListPage => ({ ...page, objects });

function parseListRequest(
  path: ReadPath,
  resource: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
): ListRequest {
  const plain = plainListOptions(request.rawQuery);
  const query = plain === undefined ? queryOf(request) : emptyQuery;
  const options = plain ?? listOptions(query, path);
  return {
    path,
    resource,
    options,
    selection: selectionOf(options.labelSelector, options.fieldSelector, resource),
    identity: identityOf(resource, info, options),
    format: responseFormatOf(request, query, path.negotiator, resource.shapes.list),
    request,
  };
}

const identityOf = (resource: StoredResource, info: ResourceRequest, options: ListOptions): ListIdentity => ({
  group: resource.type.group,
  resource: resource.type.resource,
  namespace: resource.type.namespaced ? info.namespace : '',
  labelSelector: options.labelSelector,
  fieldSelector: options.fieldSelector,
});

function readPage(list: ListRequest): ListPage | Promise<ListPage> {
  const plan = listPlan(list.options);
  switch (plan.kind) {
    case 'fresh':
      return readFresh(list, plan.freshness);
    case 'exact':
      return readAt(list, { rev: plan.rev, after: '' });
    case 'continue':
      return continueList(list, plan.token);
  }
}

function readFresh(list: ListRequest, freshness: Freshness): ListPage | Promise<ListPage> {
  const { cache } = list.resource;
  if (cache.isFresh(freshness)) return readAt(list, undefined);
  return cache.waitFresh(freshness, list.request.signal).then(
    () => readAt(list, undefined),
    (cause: unknown) => {
      throw explainFuture(cause, list.options.resourceVersion, cache.revision());
    },
  );
}

async function continueList(list: ListRequest, token: string): Promise<ListPage> {
  const { path, resource, request } = list;
  const tokens = await path.tokens.ready(request.signal);
  const position = tokens.read(token, list.identity, path.env.clock.now());
  if (position.rev !== undefined) return readAt(list, position);
  // The state of the token is no longer available: continue with the current one.
  await resource.cache.waitFresh({ kind: 'mostRecent' }, request.signal);
  return readAt(list, { rev: resource.cache.revision(), after: position.after });
}

const scopeIn = ({ resource, selection, identity }: ListRequest): Scope =>
  scopeOf(resource.type.namespaced, identity.namespace || (selection.namespace ?? ''), selection.name);

/** Reads a page of the current state of the cache, or of one revision. */
function readAt(list: ListRequest, at: Continuation | undefined): ListPage | Promise<ListPage> {
  const { path, resource, options, selection, request } = list;
  const page = resource.cache.list(
    {
      scope: scopeIn(list),
      filter: selection.filter,
      ...(options.limit > 0 ? { limit: options.limit } : {}),
      ...(at?.rev === undefined ? {} : { at: at.rev }),
      ...(at === undefined || at.after === '' ? {} : { after: at.after }),
    },
    request.signal,
  );
  return page instanceof Promise
    ? page.catch((cause) => failUnavailable(list, at, cause, path.tokens.current()))
    : page;
}

/** Fails a read of an unavailable revision: 410 for a compacted one, with a new token for a continuation; 504 for a future one. */
function failUnavailable(
  list: ListRequest,
  at: Continuation | undefined,
  cause: unknown,
  tokens: ContinueTokens | undefined,
): never {
  const { path, identity, resource } = list;
  if (cause instanceof StoreError && cause.code === 'compacted') {
    if (at !== undefined && at.after !== '' && tokens !== undefined) {
      throw tokens.expired(at.after, identity, path.env.clock.now());
    }
    throw errors.expired(
      'The requested resourceVersion is too old: its state is no longer available. List without it.',
    );
  }
  if (cause instanceof UnreadableObjectsError) throw errorAbout(resource.type, cause.objects);
  throw explainFuture(cause, list.options.resourceVersion, resource.cache.revision());
}

function respond(page: ListPage, list: ListRequest): Answer {
  const { path, request } = list;
  const tokens = path.tokens.current();
  if (page.next === undefined || tokens !== undefined) return reply(list, page, tokens);
  return path.tokens.ready(request.signal).then((ready) => reply(list, page, ready));
}

function reply(
  list: ListRequest,
  page: ListPage,
  tokens: ContinueTokens | undefined,
): Reply | Promise<Reply> {
  const { path, resource, format, request } = list;
  const series = path.metrics.list(resource);
  series.lists.inc();
  series.returned.inc(page.objects.length);
  const { signal } = request;
  const body = resource.encodings.cachedList(page.objects, metadataOf(list, page, tokens), {
    format,
    signal,
  });
  return whenFulfilled(body, replyOf, format);
}

const replyOf = (body: EncodedList, format: ResponseFormat): Reply => ({
  kind: 'chunks',
  status: 200,
  headers: headersOf(format),
  ...body,
});

function metadataOf(
  { path, identity }: ListRequest,
  page: ListPage,
  tokens: ContinueTokens | undefined,
): ListMetadata {
  const { next, rev } = page;
  if (next === undefined) return { rev, continueToken: undefined, remaining: undefined };
  // The count is for lists without selectors (spec 2.3): the cache provides no other counts.
  const continueToken = tokens?.issue({ rev, after: next }, identity, path.env.clock.now());
  return { rev, continueToken, remaining: path.features.remainingItemCount ? page.remaining : undefined };
}
