import type { CachedObject } from '@orch/cache';
import { ApiError, errors, messageOf } from '@orch/machinery';
import type { ApiRequest, Reply, ResourceContext, ResourceRequest } from '@orch/request';
import { withResourceVersion } from '@orch/schema';
import type { Revision } from '@orch/storage';
import type { RegistryContext } from '../context/registry-context.ts';
import { whenConverted } from '../convert/conversion-needed.ts';
import type { CatchUp } from '../dispatcher.ts';
import { bytesReply, queryOf, responseFormatOf } from '../request/reply.ts';
import { checkScope, keyOf, type StoredResource } from '../resource/served-resource.ts';
import { UnreadableObjectError } from '../resource/unreadable-object-error.ts';
import { PastObject } from './past-object.ts';

/** An earlier state of an object. */
export interface PastState {
  /** Key below the prefix of the resource. */
  readonly key: string;
  readonly rev: Revision;
  /** Stored bytes, of any declared version and encoding, or JSON as a recorder has received it. */
  readonly stored: Buffer;
}

/** The object of a read of earlier states. */
export interface PastRead {
  readonly info: ResourceRequest;
  readonly request: Pick<ApiRequest, 'method' | 'signal'>;
}

/** Serves earlier states of objects, wherever they were recorded, in the served versions. */
export interface PastObjects {
  /** The resource of a read request. Rejects with 404 for one that is not served or not stored, and for a wrong scope. */
  resourceOf(call: PastRead): Promise<StoredResource>;
  /** Key of the object that a request names, below the prefix of the resource. */
  keyOf(resource: StoredResource, call: Pick<PastRead, 'info'>): string;
  /** JSON in the served version, including the resourceVersion. Rejects when it cannot be read or converted. */
  jsonOf(resource: StoredResource, state: PastState, signal: AbortSignal): Promise<Buffer>;
  /** The reply to a `get`, as if the state was the current one. Rejects with a 500 that names a state which cannot be read. */
  reply(resource: StoredResource, state: PastState, call: ResourceContext): Promise<Reply>;
}

export function pastObjects(context: RegistryContext, catchUp?: CatchUp): PastObjects {
  const find = (call: PastRead): StoredResource | undefined => {
    const { group, version, resource } = call.info;
    const found = context.table.find(group, version, resource);
    if (found === undefined) return undefined;
    if (found.type.virtual === true) throw errors.resourceNotFound();
    checkScope(found, call.info, call.request.method);
    if (!found.verbs.has(call.info.verb === 'list' ? 'list' : 'get')) throw errors.resourceNotFound();
    return context.stored(found);
  };
  return {
    keyOf: (resource, { info }) => keyOf(resource, info),
    async resourceOf(call) {
      const found = find(call);
      if (found !== undefined) return found;
      await catchUp?.(call.request.signal);
      const added = find(call);
      if (added === undefined) throw errors.resourceNotFound();
      return added;
    },
    async jsonOf(resource, state, signal) {
      return resource.encodings.json(await inVersion(resource, state, signal));
    },
    async reply(resource, state, { request }) {
      const format = responseFormatOf(request, queryOf(request), context.negotiator, resource.shapes.object);
      const object = await inVersion(resource, state, request.signal).catch((cause: unknown) => {
        throw unreadable(resource, state, cause);
      });
      return bytesReply(200, format, await resource.encodings.cachedInTurns(object, format));
    },
  };
}

/** The error about a state that cannot be read; failures of conversions have their own message. */
const unreadable = ({ type }: StoredResource, { key, rev }: PastState, cause: unknown): unknown =>
  cause instanceof ApiError || !(cause instanceof Error)
    ? cause
    : new UnreadableObjectError(
        `the state ${rev} of ${key} of ${type.resource} cannot be read: ${messageOf(cause)}`,
        cause,
      );

/** The state in the form of cached objects, for the encodings of the resource. */
async function inVersion(
  resource: StoredResource,
  { key, rev, stored }: PastState,
  signal: AbortSignal,
): Promise<CachedObject> {
  const { storageCodec, encodings } = resource;
  const { json } = await whenConverted(resource, () => storageCodec.readAsStored(stored), signal);
  const object = new PastObject(key, rev, withResourceVersion(json, rev));
  const [view = object] = await encodings.view([object], signal);
  return view;
}
