import type { ServerResponse } from 'node:http';
import { type AnswerReview, type Review, sendJson, type WebhookServer } from './webhook-server.ts';

/** The answer to an `AdmissionReview`, in its version. */
export const admissionAnswer = (review: Review, response: object = {}): Review => ({
  apiVersion: review.apiVersion,
  kind: review.kind,
  response: { uid: review.request.uid, allowed: true, ...response },
});

/** Answers each review with what `decide` returns for its request. */
export const admitting =
  (decide: (request: Review) => object | undefined = () => undefined): AnswerReview =>
  (review: Review, response: ServerResponse) =>
    sendJson(response, admissionAnswer(review, decide(review.request) ?? {}));

/** The fields of a response that patches the object. */
export const patching = (...operations: readonly object[]): object => ({
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
});

/** A webhook of a configuration, which matches creations of config maps except for what is given. */
export const webhookEntry = (
  server: WebhookServer,
  { rule, ...rest }: { readonly rule?: object; readonly [field: string]: unknown } = {},
): object => ({
  name: 'w.example.com',
  clientConfig: { url: server.url, caBundle: server.caBundle },
  rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], ...rule }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...rest,
});
