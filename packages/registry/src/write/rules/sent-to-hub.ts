import { type ApiObject, cloneJson, errors } from '@orch/machinery';
import type { Codec } from '@orch/schema';
import { kindSubjectOf, type ServedResource } from '../../resource/served-resource.ts';

export interface SentToHubOptions {
  /** The codec that decoded the object; that of the resource when absent. */
  readonly codec?: Codec;
  /** Sets what the write leaves as it is (the status, or all else), in the version of the client. */
  readonly prepare: (object: ApiObject) => void;
}

/**
 * Converts an object that a client sent, which is consumed, to the hub version. What is wrong with it only before the conversion
 * is refused here (422): fields that the hub version does not declare are lost, and what is stored is validated without them.
 */
export function sentToHub(
  resource: ServedResource,
  sent: ApiObject,
  { codec = resource.codec, prepare }: SentToHubOptions,
): ApiObject {
  const { converter } = resource;
  if (converter.losesFields !== true || codec.validate(sent).length === 0) return converter.toHub(sent);
  const { name = '' } = sent.metadata;
  prepare(sent);
  const problems = codec.validate(sent);
  const hub = converter.toHub(sent);
  const later = new Set(codec.validate(converter.fromHub(cloneJson(hub))).map((one) => JSON.stringify(one)));
  const lost = problems.filter((one) => !later.has(JSON.stringify(one)));
  if (lost.length > 0) throw errors.invalid(kindSubjectOf(resource, name), lost);
  return hub;
}
