import type { Freshness, ListPage } from '@orch/cache';
import { errors, whenFulfilled } from '@orch/machinery';
import { type Answer, type ApiRequest, emptyQuery, type Reply, type ResourceRequest } from '@orch/request';
import { StoreError } from '@orch/storage';
import type { Form } from '../encode/encodings.ts';
import type { ListMetadata } from '../encode/list-metadata.ts';
import { type ListOptions, listOptions, listPlan, plainListOptions } from '../request/list-options.ts';
import { type Selection, scopeOf, selectionOf } from '../request/object-filter.ts';
import { formOf, headersOf, queryOf } from '../request/reply.ts';
import { explainFuture } from '../request/resource-version.ts';
import type { Continuation, ContinueTokens, ListIdentity } from '../resource/continue-token.ts';
import type { RegistryContext } from '../resource/registry-context.ts';
import type { StoredResource } from '../resource/served-resource.ts';

/** One list request, understood. */
interface ListRequest {
  readonly context: RegistryContext;
  readonly resource: StoredResource;
  readonly options: ListOptions;
  readonly selection: Selection;
  readonly identity: ListIdentity;
  readonly form: Form;
  readonly request: ApiRequest;
}

/** `list` (spec 4.4, second table; 4.6). Synchronous when the cache is fresh enough and the page is in memory. */
export function list(
  context: RegistryContext,
  resource: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
): Answer {
  const understood = understand(context, resource, info, request);
  const page = readPage(understood);
  return whenFulfilled(page, respond, understood);
}

/** The page that a deletecollection with the same query is about, and the metadata of its list. */
export async function readForDelete(
  context: RegistryContext,
  resource: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
): Promise<{ readonly page: ListPage; readonly metadata: ListMetadata }> {
  const understood = understand(context, resource, info, request);
  const page = await readPage(understood);
  const tokens = page.next === undefined ? undefined : await context.tokens.ready(request.signal);
  return { page, metadata: metadataOf(understood, page, tokens) };
}

function understand(
  context: RegistryContext,
  resource: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
): ListRequest {
  const plain = plainListOptions(request.rawQuery);
  const query = plain === undefined ? queryOf(request) : emptyQuery;
  const options = plain ?? listOptions(query, context);
  return {
    context,
    resource,
    options,
    selection: selectionOf(options.labelSelector, options.fieldSelector, resource),
    identity: identityOf(resource, info, options),
    form: formOf(request, query, context.negotiator, 'list'),
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
  const { context, resource, request } = list;
  const tokens = await context.tokens.ready(request.signal);
  const position = tokens.read(token, list.identity, context.env.clock.now());
  if (position.rev !== undefined) return readAt(list, position);
  // The state that the token belonged to is gone: go on with the current one.
  await resource.cache.waitFresh({ kind: 'mostRecent' }, request.signal);
  return readAt(list, { rev: resource.cache.revision(), after: position.after });
}

/** Reads a page of the state that the cache has now, or of one revision. */
function readAt(list: ListRequest, at: Continuation | undefined): ListPage | Promise<ListPage> {
  const { context, resource, options, selection, identity, request } = list;
  const namespace = identity.namespace || (selection.namespace ?? '');
  const page = resource.cache.list(
    {
      scope: scopeOf(resource.type.namespaced, namespace, selection.name),
      filter: selection.filter,
      ...(options.limit > 0 ? { limit: options.limit } : {}),
      ...(at?.rev === undefined ? {} : { at: at.rev }),
      ...(at === undefined || at.after === '' ? {} : { after: at.after }),
    },
    request.signal,
  );
  return page instanceof Promise
    ? page.catch((cause) => gone(list, at, cause, context.tokens.current()))
    : page;
}

/** A revision that nobody has: 410, for a continuation with a token to go on with; 504 when it is yet to come. */
function gone(
  list: ListRequest,
  at: Continuation | undefined,
  cause: unknown,
  tokens: ContinueTokens | undefined,
): never {
  const { context, identity, resource } = list;
  if (cause instanceof StoreError && cause.code === 'compacted') {
    if (at !== undefined && at.after !== '' && tokens !== undefined) {
      throw tokens.expired(at.after, identity, context.env.clock.now());
    }
    throw errors.expired(
      'The resourceVersion asked for is too old: that state is no longer kept. List without it.',
    );
  }
  throw explainFuture(cause, list.options.resourceVersion, resource.cache.revision());
}

function respond(page: ListPage, list: ListRequest): Answer {
  const { context, request } = list;
  const tokens = context.tokens.current();
  if (page.next === undefined || tokens !== undefined) return reply(list, page, tokens);
  return context.tokens.ready(request.signal).then((ready) => reply(list, page, ready));
}

function reply(list: ListRequest, page: ListPage, tokens: ContinueTokens | undefined): Reply {
  const { context, resource, form } = list;
  const series = context.metrics.list(resource);
  series.lists.inc();
  series.returned.inc(page.objects.length);
  const body = resource.encodings.list(page.objects, metadataOf(list, page, tokens), form);
  return { kind: 'chunks', status: 200, headers: headersOf(form), ...body };
}

function metadataOf(
  { context, identity }: ListRequest,
  page: ListPage,
  tokens: ContinueTokens | undefined,
): ListMetadata {
  const { next, rev } = page;
  if (next === undefined) return { rev, continueToken: undefined, remaining: undefined };
  // The count is for lists without selectors (spec 2.3): the cache knows it for no others.
  const continueToken = tokens?.issue({ rev, after: next }, identity, context.env.clock.now());
  return { rev, continueToken, remaining: context.features.remainingItemCount ? page.remaining : undefined };
}
