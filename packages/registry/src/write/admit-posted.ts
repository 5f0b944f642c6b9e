import type { ApiObject } from '@orch/machinery';
import type { ResourceContext } from '@orch/request';
import type { WritePath } from '../context/paths.ts';
import { type OptionsObject, writeOptionsObject } from '../request/write-options.ts';
import type { ServedResource } from '../resource/served-resource.ts';
import { admissionOf, creating } from './admission.ts';

/** A request that creates an object that is not stored as sent: a binding, an eviction, a token, a review. */
export interface PostedObject {
  readonly call: ResourceContext;
  /** In the hub version. */
  readonly object: ApiObject;
  readonly name: string;
  readonly dryRun: boolean;
}

/**
 * Admits a posted object as the operation `CREATE`. Returns the object as mutated by plugins; rejects with a refusal.
 */
export async function admitPosted(
  path: Pick<WritePath, 'admission' | 'versioned' | 'names'>,
  resource: ServedResource,
  { call, object, name, dryRun }: PostedObject,
): Promise<ApiObject> {
  const { info, request, user, trace } = call;
  const { subresource, namespace } = info;
  const options: OptionsObject = writeOptionsObject('CreateOptions', request, path.names);
  const writing = { namespace, name, user, dryRun, signal: request.signal, trace, options };
  const admission = admissionOf(path, resource, { operation: 'CREATE', subresource }, writing);
  if (admission === undefined) return object;
  await admission.precheck();
  await admission.mutate?.(creating(object));
  // The object itself is not stored; the writes that it causes are admitted separately.
  await (await admission.validate?.(creating(object)))?.finish(false);
  return object;
}
