import { asObject, isJsonObject } from '@orch/machinery/json';

/** The input of the backend: the images of a pod, its annotations for the backend, and its namespace. */
export interface ImageReviewSpec {
  readonly containers: readonly { readonly image: string }[];
  readonly annotations: Readonly<Record<string, string>>;
  readonly namespace: string;
}

/** The decision of the backend. */
export interface ImageDecision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

const KIND = 'ImageReview';
/** Maximum length of a reason for clients. */
const MAX_REASON_CHARACTERS = 4096;

/** The body of a request to the backend. */
export const imageReview = (apiVersion: string, { annotations, ...spec }: ImageReviewSpec): object => ({
  apiVersion,
  kind: KIND,
  spec: { ...spec, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
});

/** The decision in an answer; undefined when the answer is not a review. An answer without a decision denies. */
export function decisionOf(answer: unknown, apiVersion: string): ImageDecision | undefined {
  if (!isJsonObject(answer) || answer['apiVersion'] !== apiVersion || answer['kind'] !== KIND)
    return undefined;
  const { status = {} } = answer;
  if (!isJsonObject(status)) return undefined;
  const { allowed = false, reason = '' } = status;
  if (typeof allowed !== 'boolean' || typeof reason !== 'string') return undefined;
  return {
    allowed,
    reason: reason.slice(0, MAX_REASON_CHARACTERS),
    auditAnnotations: textsOf(status['auditAnnotations']),
  };
}

const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(asObject(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
