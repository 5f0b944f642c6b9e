import { type ApiObject, errors } from '@orch/machinery';
import { cloneJson, encodeJson, isJsonObject, type JsonObject, parseJson } from '@orch/machinery/json';
import type { JsonPatchOperation } from '../rest/types.ts';
import { jsonDiff } from './json-diff.ts';
import { requestOf, textIn } from './review.ts';
import type { HandlerRun } from './run-handler.ts';
import type { AdmissionAnswer, AdmissionHandler, AdmissionRequest, AllowedWrite } from './types.ts';

/** Handles an AdmissionReview. Throws a 400 for a request that is not one. */
export async function answerAdmission(
  review: unknown,
  handler: AdmissionHandler,
  { call, run }: HandlerRun,
): Promise<object> {
  const apiVersion = call.client.names.apiVersion('admission', 'v1');
  const { uid, ...request } = requestOf(review, { apiVersion, kind: 'AdmissionReview' });
  textIn(request, 'operation');
  const { object = null, oldObject = null, options = null } = request;
  for (const [name, value] of Object.entries({ object, oldObject, options }))
    if (value !== null && !isJsonObject(value)) throw errors.badRequest(`request.${name}: must be an object`);
  const asked = { ...request, uid, object: cloneJson(object), oldObject, options };
  const answered = await run(async () => {
    // The request comes from the API server, which has validated it.
    const answer = await handler(asked as unknown as AdmissionRequest, call);
    return responseOf(answer, object as ApiObject | null);
  });
  const response = 'failure' in answered ? { allowed: false, status: answered.failure } : answered.value;
  return { kind: 'AdmissionReview', apiVersion, response: { uid, ...response } };
}

function responseOf(answer: AdmissionAnswer, object: ApiObject | null): JsonObject {
  const { warnings, auditAnnotations } = answer;
  const notes = {
    ...(warnings === undefined ? {} : { warnings }),
    ...(auditAnnotations === undefined ? {} : { auditAnnotations }),
  };
  if (answer.allowed === true) return { allowed: true, ...patchOf(answer, object), ...notes };
  const { message, reason = 'Forbidden', code = 403 } = answer;
  return { allowed: false, status: { code, reason, message }, ...notes };
}

/** A response without changes has no patch: validating webhooks may not return one. */
function patchOf({ patch, object: changed }: AllowedWrite, object: ApiObject | null): JsonObject {
  if (patch !== undefined && changed !== undefined)
    throw new TypeError('the handler has returned an object and a patch');
  const operations = changed === undefined ? (patch ?? []) : changesOf(object, changed);
  if (operations.length === 0) return {};
  return { patchType: 'JSONPatch', patch: encodeJson(operations).toString('base64') };
}

function changesOf(before: ApiObject | null, changed: ApiObject): readonly JsonPatchOperation[] {
  if (before === null)
    throw new TypeError('the handler has changed an object that the request does not have');
  // As JSON: without fields that are undefined, and with dates as text.
  return jsonDiff(before, parseJson(encodeJson(changed)));
}
