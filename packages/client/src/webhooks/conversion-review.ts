import { type ApiObject, errors } from '@orch/machinery';
import { asObject, cloneJson, isJsonObject, type JsonObject } from '@orch/machinery/json';
import { requestOf, textIn } from './review.ts';
import type { HandlerRun } from './run-handler.ts';
import type { ConversionHandler, WebhookCall } from './types.ts';

/** Handles a ConversionReview: all of its objects are converted, or none. */
export async function answerConversion(
  review: unknown,
  handler: ConversionHandler,
  { call, run }: HandlerRun,
): Promise<object> {
  const apiVersion = call.client.names.apiVersion('apiextensions', 'v1');
  const request = requestOf(review, { apiVersion, kind: 'ConversionReview' });
  const desired = textIn(request, 'desiredAPIVersion');
  const objects = objectsOf(request);
  const answered = await run(async () => {
    const converted: JsonObject[] = [];
    for (const object of objects) {
      call.signal.throwIfAborted();
      converted.push(await convert(object, desired, { handler, call }));
    }
    return converted;
  });
  const response =
    'failure' in answered
      ? { convertedObjects: [], result: { status: 'Failure', ...answered.failure } }
      : { convertedObjects: answered.value, result: { status: 'Success' } };
  return { kind: 'ConversionReview', apiVersion, response: { uid: request.uid, ...response } };
}

function objectsOf({ objects }: JsonObject): readonly ApiObject[] {
  if (!Array.isArray(objects) || !objects.every(isJsonObject))
    throw errors.badRequest('request.objects: must be a list of objects');
  return objects as unknown as readonly ApiObject[];
}

async function convert(
  object: ApiObject,
  desired: string,
  { handler, call }: { readonly handler: ConversionHandler; readonly call: WebhookCall },
): Promise<JsonObject> {
  if (object.apiVersion === desired) return object;
  const { kind, metadata } = object;
  const converted = await handler(cloneJson(object), desired, call);
  if (!isJsonObject(converted)) throw new TypeError('the handler must return an object');
  // Of the metadata, a conversion may change the labels and annotations: the API server refuses other changes.
  const { metadata: returned = metadata } = converted;
  const { labels, annotations } = asObject(returned);
  return {
    ...converted,
    apiVersion: desired,
    kind,
    metadata: { ...asObject(metadata), labels, annotations },
  };
}
