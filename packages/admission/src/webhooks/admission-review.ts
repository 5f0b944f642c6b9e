import { type DeniedStatus, messageOf, type Names } from '@orch/machinery';
import { qualifiedName } from '@orch/machinery/formats';
import { isJsonObject, type JsonObject, parseJson } from '@orch/machinery/json';
import { requestVariable } from '../expressions/index.ts';
import type { AdmissionAttributes } from '../types.ts';
import type { VersionedResource } from '../versioned-resource.ts';
import { deniedStatus } from './denied-status.ts';
import type { EncodedVersion } from './encoded-objects.ts';
import type { ReviewVersion } from './webhook.ts';

/** The subject of a review: a write, in the version that the rules of the webhook select. */
export interface ReviewQuestion {
  readonly names: Names;
  readonly reviewVersion: ReviewVersion;
  readonly uid: string;
  readonly write: AdmissionAttributes;
  readonly version: VersionedResource;
  readonly objects: EncodedVersion;
}

/** The response of a webhook (access-control document, 4.3). */
export interface ReviewAnswer {
  readonly allowed: boolean;
  /** The reason of a refusal; empty when the write is allowed. */
  readonly status: DeniedStatus;
  /** The operations of the JSON patch; undefined without one. */
  readonly patch: readonly unknown[] | undefined;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

const reviewApiVersion = ({ names, reviewVersion }: ReviewQuestion): string =>
  names.apiVersion('admission', reviewVersion);

/** The end of the head of a review; its objects are inserted before it. */
const END = '}}';

/** The body of a request to a webhook. */
export function encodeReview(question: ReviewQuestion): Buffer {
  const { uid, write, version, objects } = question;
  const { options = null, ...request } = requestVariable(write, version);
  const head = JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: reviewApiVersion(question),
    request: { uid, ...request, options },
  });
  const { object, oldObject } = objects.json;
  return Buffer.from(`${head.slice(0, -END.length)},"object":${object},"oldObject":${oldObject}${END}`);
}

/** The reason why an answer cannot be used. The message contains no part of the answer. */
class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer';
}

/** Parses the response of a webhook. Throws `InvalidAnswer`. */
export function readAnswer(question: ReviewQuestion, answer: unknown, mutates: boolean): ReviewAnswer {
  if (!isJsonObject(answer)) throw new InvalidAnswer('it is not an object');
  // As in Kubernetes, responses in the older version are not compared with their request.
  const isStrict = question.reviewVersion === 'v1';
  const expected = reviewApiVersion(question);
  if (isStrict && (answer['kind'] !== 'AdmissionReview' || answer['apiVersion'] !== expected))
    throw new InvalidAnswer(`expected webhook response of ${expected}, Kind=AdmissionReview`);
  const { response } = answer;
  if (!isJsonObject(response)) throw new InvalidAnswer('webhook response was absent');
  if (isStrict && response['uid'] !== question.uid)
    throw new InvalidAnswer(`expected response.uid=${JSON.stringify(question.uid)}`);
  const { allowed = false, warnings = [], auditAnnotations = {}, status } = response;
  if (typeof allowed !== 'boolean') throw new InvalidAnswer('response.allowed must be true or false');
  return {
    allowed,
    status: deniedStatus(status),
    patch: mutates ? patchOf(response, isStrict) : noPatch(response, isStrict),
    warnings: textsOf(warnings),
    auditAnnotations: annotationsOf(auditAnnotations),
  };
}

function textsOf(warnings: unknown): readonly string[] {
  if (warnings === null) return [];
  if (Array.isArray(warnings) && warnings.every((text) => typeof text === 'string')) return warnings;
  throw new InvalidAnswer('response.warnings must be a list of strings');
}

function annotationsOf(annotations: unknown): Readonly<Record<string, string>> {
  if (annotations === null) return {};
  if (!isJsonObject(annotations) || Object.values(annotations).some((value) => typeof value !== 'string'))
    throw new InvalidAnswer('response.auditAnnotations must be a map of strings');
  return annotations as Readonly<Record<string, string>>;
}

function patchOf(
  { patch = '', patchType = null }: JsonObject,
  isStrict: boolean,
): readonly unknown[] | undefined {
  if (patch === null || patch === '') {
    if (patchType !== null && isStrict)
      throw new InvalidAnswer('webhook returned response.patchType but not response.patch');
    return undefined;
  }
  if (typeof patch !== 'string' || !/^[A-Za-z0-9+/\r\n]*={0,2}[\r\n]*$/.test(patch))
    throw new InvalidAnswer('response.patch must be base64');
  if (isStrict && patchType === null)
    throw new InvalidAnswer('webhook returned response.patch but not response.patchType');
  if (isStrict && patchType !== 'JSONPatch') throw new InvalidAnswer('response.patchType must be JSONPatch');
  return operationsOf(Buffer.from(patch, 'base64'));
}

function operationsOf(patch: Buffer): readonly unknown[] {
  let operations: unknown;
  try {
    operations = parseJson(patch, { finite: true });
  } catch (cause) {
    throw new InvalidAnswer(`response.patch must be JSON: ${messageOf(cause)}`);
  }
  if (Array.isArray(operations) && operations.every(isJsonObject)) return operations;
  throw new InvalidAnswer('response.patch must be a list of operations');
}

function noPatch({ patch = null, patchType = null }: JsonObject, isStrict: boolean): undefined {
  if (!isStrict) return;
  if (patch !== null && patch !== '')
    throw new InvalidAnswer('validating webhook may not return response.patch');
  if (patchType !== null) throw new InvalidAnswer('validating webhook may not return response.patchType');
}

/** The key of an audit annotation of a webhook; undefined for a name that is not one. */
export function annotationKey(webhook: string, name: string): string | undefined {
  const key = `${webhook}/${name}`;
  return name.includes('/') || qualifiedName(key) !== undefined ? undefined : key;
}
