import { type ApiObject, errors } from '@orch/machinery';
import type { Turns } from '@orch/machinery/concurrency';
import { cloneJson } from '@orch/machinery/json';
import type { Codec } from '@orch/schema';
import type { WritePath } from '../../resource/paths.ts';
import { kindSubjectOf, type ServedResource } from '../../resource/served-resource.ts';
import { validatedBySchema } from './validate-object.ts';

export interface SentToHubOptions {
  /** The codec that decoded the object; that of the resource when absent. */
  readonly codec?: Codec;
  /** Restores the part that the write does not change (the status, or all else), in the version of the client. */
  readonly prepare: (object: ApiObject) => void;
}

/**
 * Converts an object that a client sent, which is consumed, to the hub version. Problems that only the sent version has
 * are refused here (422): fields that the hub version does not declare are lost, and the stored object is validated
 * without them.
 */
export function sentToHub(
  { turns }: Pick<WritePath, 'turns'>,
  resource: ServedResource,
  sent: ApiObject,
  { codec = resource.codec, prepare }: SentToHubOptions,
): ApiObject | Promise<ApiObject> {
  return resource.converter.losesFields === true
    ? unlessLost({ turns, resource, codec }, sent, prepare)
    : resource.converter.toHub(sent);
}

interface LossCheck {
  readonly turns: Turns;
  readonly resource: ServedResource;
  readonly codec: Codec;
}

/** The object in the hub version. Rejects with the problems that only the version of the client has. */
async function unlessLost(
  { turns, resource, codec }: LossCheck,
  sent: ApiObject,
  prepare: SentToHubOptions['prepare'],
): Promise<ApiObject> {
  const { converter } = resource;
  if ((await validatedBySchema(turns, codec, { value: sent })).length === 0) return converter.toHub(sent);
  const { name = '' } = sent.metadata;
  prepare(sent);
  const problems = await validatedBySchema(turns, codec, { value: sent });
  const hub = converter.toHub(sent);
  const kept = await validatedBySchema(turns, codec, { value: converter.fromHub(cloneJson(hub)) });
  const later = new Set(kept.map((one) => JSON.stringify(one)));
  const lost = problems.filter((one) => !later.has(JSON.stringify(one)));
  if (lost.length > 0) throw errors.invalid(kindSubjectOf(resource, name), lost);
  return hub;
}
