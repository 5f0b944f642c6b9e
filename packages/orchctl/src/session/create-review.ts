import type { ApiObject, GroupKey } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import type { Session } from './session.ts';

/** A question to the server: an object that is answered and not stored. */
export interface Review {
  readonly group: GroupKey;
  readonly kind: string;
  readonly spec?: JsonObject;
  readonly namespace?: string;
}

/** Sends a review in version `v1` and resolves with the answered object. */
export async function createReview(
  { client, names, resources }: Session,
  { group, kind, spec, namespace }: Review,
  signal: AbortSignal,
): Promise<ApiObject> {
  const apiVersion = names.apiVersion(group, 'v1');
  const resource = await resources.ofKind(apiVersion, kind);
  const review = { apiVersion, kind, metadata: {}, ...(spec && { spec }) };
  return client.resource(resource, namespace).create(review, {}, signal);
}
