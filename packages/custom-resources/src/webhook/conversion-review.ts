import { type ApiObject, errors, type Names, type ObjectMeta, parseApiVersion } from '@orch/machinery';
import { encodeJson, isJsonObject, type JsonObject } from '@orch/machinery/json';
import type { ReviewVersion } from './conversion-webhook.ts';

/** A review that is sent to a webhook. */
export interface ConversionReview {
  readonly names: Names;
  readonly reviewVersion: ReviewVersion;
  readonly uid: string;
  readonly desiredApiVersion: string;
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}}');

const reviewApiVersion = ({ names, reviewVersion }: ConversionReview): string =>
  names.apiVersion('apiextensions', reviewVersion);

/** The body of a review of objects that are given as JSON. */
export function encodeReview(review: ConversionReview, objects: readonly Buffer[]): Buffer {
  const head = encodeJson({
    kind: 'ConversionReview',
    apiVersion: reviewApiVersion(review),
    request: { uid: review.uid, desiredAPIVersion: review.desiredApiVersion, objects: [] },
  });
  const parts = [head.subarray(0, head.length - END.length)];
  for (const [i, object] of objects.entries()) parts.push(...(i === 0 ? [object] : [COMMA, object]));
  return Buffer.concat([...parts, END]);
}

/** `group/version, Kind=Kind`, as messages name the version of an object. */
const versionText = ({ apiVersion, kind }: ApiObject): string => `${apiVersion}, Kind=${kind}`;

/** The failure of every request that needs a conversion which did not succeed. */
export const conversionFailed = (first: ApiObject, problem: string): Error =>
  errors.plain(500, `conversion webhook for ${versionText(first)} failed: ${problem}`);

/** The objects in the answer to a review, which are not checked yet. Throws `Error` with the problem for people. */
export function answeredObjects(review: ConversionReview, answer: unknown): readonly unknown[] {
  if (!isJsonObject(answer)) throw new Error('expected webhook response to be an object');
  // As in the reference, answers to the older form are not compared with their request.
  const isStrict = review.reviewVersion === 'v1';
  if (isStrict) requireReview(review, answer);
  const { response } = answer;
  if (!isJsonObject(response)) throw new Error('no response provided');
  if (isStrict && response['uid'] !== review.uid)
    throw new Error(`expected response.uid=${JSON.stringify(review.uid)}, got ${shortText(response['uid'])}`);
  const { convertedObjects, result } = response;
  const { message, status } = isJsonObject(result) ? result : {};
  if (status !== 'Success') {
    if (typeof message === 'string' && message !== '') throw new Error(bounded(message));
    throw new Error(
      `response.result.status was '${typeof status === 'string' ? bounded(status) : ''}', not 'Success'`,
    );
  }
  return Array.isArray(convertedObjects) ? convertedObjects : [];
}

function requireReview(review: ConversionReview, { apiVersion, kind }: JsonObject): void {
  const expected = reviewApiVersion(review);
  if (kind === 'ConversionReview' && apiVersion === expected) return;
  throw new Error(
    `expected webhook response of ${expected}, Kind=ConversionReview, got ${plainText(apiVersion)}, Kind=${plainText(kind)}`,
  );
}

const MAX_TEXT = 1024;

const bounded = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text);
const plainText = (value: unknown): string => (typeof value === 'string' ? bounded(value) : '');
const shortText = (value: unknown): string => JSON.stringify(plainText(value));

/**
 * Checks converted objects against the originals, and gives them the metadata of those except for labels and annotations.
 * Throws `ApiError`.
 */
export function checkedConversions(
  originals: readonly ApiObject[],
  converted: readonly unknown[],
  apiVersion: string,
): readonly ApiObject[] {
  const [first] = originals;
  const about = first === undefined ? '' : `conversion webhook for ${versionText(first)} returned`;
  if (converted.length !== originals.length)
    throw errors.plain(500, `${about} ${converted.length} objects, expected ${originals.length}`);
  return originals.map((original, i) => {
    const object = converted[i];
    const problem = conversionProblem(original, object, apiVersion);
    if (problem === undefined) return withOriginalMetadata(original, object as ApiObject);
    throw errors.plain(500, `${about} ${problem.what} at index ${i}: ${problem.why}`);
  });
}

interface Problem {
  readonly what: 'invalid converted object' | 'invalid metadata in object';
  readonly why: string;
}

function conversionProblem(original: ApiObject, object: unknown, apiVersion: string): Problem | undefined {
  const invalid = (why: string): Problem => ({ what: 'invalid converted object', why });
  const badMetadata = (why: string): Problem => ({ what: 'invalid metadata in object', why });
  if (!isJsonObject(object)) return invalid('it is not an object');
  if (object['apiVersion'] !== apiVersion)
    return invalid(
      `invalid groupVersion (expected ${apiVersion}, received ${plainText(object['apiVersion'])})`,
    );
  if (object['kind'] !== original.kind)
    return invalid(`invalid kind (expected ${original.kind}, received ${plainText(object['kind'])})`);
  const { metadata } = object;
  if (!isJsonObject(metadata)) return badMetadata('metadata is not an object');
  for (const field of ['name', 'namespace', 'uid'] as const) {
    const [expected, received] = [original.metadata[field] ?? '', metadata[field] ?? ''];
    if (expected !== received)
      return invalid(`must have the same ${field}: ${expected} != ${plainText(received)}`);
  }
  for (const field of ['labels', 'annotations'] as const) {
    const why = textMapProblem(metadata[field]);
    if (why !== undefined) return badMetadata(`metadata.${field} ${why}`);
  }
  return undefined;
}

function textMapProblem(map: unknown): string | undefined {
  if (map === undefined || map === null) return undefined;
  if (!isJsonObject(map)) return 'is not an object';
  return Object.values(map).every((value) => typeof value === 'string')
    ? undefined
    : 'has a value that is not text';
}

function withOriginalMetadata(original: ApiObject, converted: ApiObject): ApiObject {
  const { labels: _labels, annotations: _annotations, ...kept } = original.metadata;
  const { labels, annotations } = converted.metadata;
  const metadata: ObjectMeta = {
    ...kept,
    ...(labels === undefined || labels === null ? {} : { labels }),
    ...(annotations === undefined || annotations === null ? {} : { annotations }),
  };
  return { ...converted, metadata };
}

/** The version of an apiVersion, as metrics name it. */
export const versionOf = (apiVersion: string): string => parseApiVersion(apiVersion)?.version ?? '';
