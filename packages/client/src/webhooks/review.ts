import { errors } from '@orch/machinery';
import { isJsonObject, type JsonObject } from '@orch/machinery/json';

/** The request of a review of the kind. Throws a 400 for anything else. */
export function requestOf(
  review: unknown,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): JsonObject & { readonly uid: string } {
  if (!isJsonObject(review)) throw errors.badRequest('the review must be an object');
  if (review['kind'] !== kind || review['apiVersion'] !== apiVersion)
    throw errors.badRequest(`the review must be a ${kind} of ${apiVersion}`);
  const { request } = review;
  if (!isJsonObject(request)) throw errors.badRequest('request: must be an object');
  const { uid } = request;
  if (typeof uid !== 'string' || uid === '') throw errors.badRequest('request.uid: must be a string');
  return { ...request, uid };
}

/** A field of a request that must be text. */
export function textIn(request: JsonObject, name: string): string {
  const text = request[name];
  if (typeof text === 'string' && text !== '') return text;
  throw errors.badRequest(`request.${name}: must be a string`);
}
