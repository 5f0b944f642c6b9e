import type { CachedObject } from '@orch/cache';
import { errors } from '@orch/machinery';
import { type Answer, type ApiRequest, emptyQuery, type ResourceRequest } from '@orch/request';
import type { ReadPath } from '../context/paths.ts';
import type { ResponseFormat } from '../encode/response-format.ts';
import { bodyReply, queryOf, responseFormatOf } from '../request/reply.ts';
import { anyAge, explainFuture, freshnessOf, mostRecent } from '../request/resource-version.ts';
import { refuseUnreadable } from '../resource/refuse-unreadable.ts';
import { keyOf, type StoredResource, subjectOf } from '../resource/served-resource.ts';

/**
 * `get` (spec 4.4, first table): most recent, any, or not older than. With resourceVersion `0` the reply needs no
 * promise and no parsing, only the bytes of the cache.
 */
export function get(
  path: ReadPath,
  resource: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
): Answer {
  const { rawQuery } = request;
  const fast = rawQuery === '' ? mostRecent : rawQuery === 'resourceVersion=0' ? anyAge : undefined;
  const query = fast === undefined ? queryOf(request) : emptyQuery;
  const key = keyOf(resource, info);
  const format = responseFormatOf(request, query, path.negotiator, resource.shapes.object);
  const freshness = fast ?? freshnessOf(query.get('resourceVersion'));
  const { cache } = resource;
  const answer = (): Answer => {
    const object = cache.get(key);
    if (object === undefined) throw errors.notFound(subjectOf(resource, info.name));
    if (object.corrupt) refuseUnreadable(resource, { prefix: '', exact: key });
    return resource.encodings.converts
      ? inVersion(resource, object, request.signal).then((served) => servedReply(resource, served, format))
      : servedReply(resource, object, format);
  };
  if (cache.isFresh(freshness)) return answer();
  // Most requests read the most recent state: they share one promise without a signal.
  const shared = freshness === mostRecent ? cache.whenMostRecent() : undefined;
  return (shared ?? cache.waitFresh(freshness, request.signal)).then(answer, (cause: unknown) => {
    throw explainFuture(cause, query.get('resourceVersion') ?? '', cache.revision());
  });
}

const servedReply = ({ encodings }: StoredResource, object: CachedObject, format: ResponseFormat): Answer =>
  bodyReply(200, format, encodings.cachedInTurns(object, format));

/** A cached object in the served version. */
async function inVersion(
  { encodings }: StoredResource,
  object: CachedObject,
  signal: AbortSignal,
): Promise<CachedObject> {
  const [served = object] = await encodings.view([object], signal);
  return served;
}

/** The object for a get of a subresource, as fresh as the query requires. */
export async function readFreshObject(
  resource: StoredResource,
  info: ResourceRequest,
  request: ApiRequest,
): Promise<CachedObject> {
  const key = keyOf(resource, info);
  const { cache } = resource;
  const version = queryOf(request).get('resourceVersion');
  const freshness = freshnessOf(version);
  if (!cache.isFresh(freshness)) {
    try {
      await cache.waitFresh(freshness, request.signal);
    } catch (cause) {
      throw explainFuture(cause, version ?? '', cache.revision());
    }
  }
  const object = cache.get(key);
  if (object === undefined) throw errors.notFound(subjectOf(resource, info.name));
  if (object.corrupt) refuseUnreadable(resource, { prefix: '', exact: key });
  return inVersion(resource, object, request.signal);
}
