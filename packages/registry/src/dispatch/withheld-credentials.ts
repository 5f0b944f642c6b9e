import { findKind } from '@orch/apis';
import { ApiError, type Status } from '@orch/machinery';
import { whenRejected } from '@orch/machinery/concurrency';
import type { Answer, ApiVerb, ResourceRequest } from '@orch/request';
import type { ServedResource } from '../resource/served-resource.ts';

/** Verbs of requests with an object in the body. */
const VERBS_WITH_BODY: ReadonlySet<ApiVerb> = new Set(['create', 'update', 'patch', 'apply']);

/** Reasons of failures whose messages contain only names and fixed texts. */
const REASONS_WITHOUT_VALUES: ReadonlySet<string> = new Set([
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'AlreadyExists',
  'Expired',
  'MethodNotAllowed',
  'NotAcceptable',
  'UnsupportedMediaType',
  'RequestEntityTooLarge',
  'TooManyRequests',
  'Timeout',
  'ServiceUnavailable',
  'InternalError',
]);

/**
 * The kind of the body of a request, if objects of it hold credentials (`StructSchema.holdsCredentials`); undefined for
 * other kinds, and for requests without an object.
 */
export type CredentialKindOf = (info: ResourceRequest) => string | undefined;

/** Undefined for a resource to which no credentials are sent. */
export function credentialKinds(resource: ServedResource): CredentialKindOf | undefined {
  const kinds = credentialKindsBelow(resource);
  if (kinds.size === 0) return undefined;
  return ({ verb, subresource }) => (VERBS_WITH_BODY.has(verb) ? kinds.get(subresource) : undefined);
}

/** By the subresource that they are sent to; the resource itself is subresource `''`. */
function credentialKindsBelow({ type, schema, subresources }: ServedResource): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>();
  if (schema.holdsCredentials === true) kinds.set('', type.kind);
  for (const { name, kind: sent } of subresources.values()) {
    const { schema } = findKind(sent.group, sent.version, sent.kind) ?? {};
    if (schema?.holdsCredentials === true) kinds.set(name, sent.kind);
  }
  return kinds;
}

/**
 * Serves a write of an object that holds credentials. The message of a failed write is sent to the client and, with the
 * audit event, to the audit log, even at levels without bodies. The failure is therefore replaced by its variant without
 * values, or loses its details when it has none. Failures of other kinds (undefined) are unchanged.
 */
export function withoutCredentials(kind: string | undefined, answer: () => Answer): Answer {
  if (kind === undefined) return answer();
  const failed = (error: unknown): never => {
    throw withoutValues(error, kind);
  };
  try {
    return whenRejected(answer(), failed);
  } catch (error) {
    return failed(error);
  }
}

function withoutValues(error: unknown, kind: string): unknown {
  if (!(error instanceof ApiError)) return error;
  const declared = error.statusWithoutValues();
  if (declared !== undefined) return new ApiError(declared, { unrecognized: error.unrecognized });
  return REASONS_WITHOUT_VALUES.has(error.status.reason ?? '')
    ? error
    : new ApiError(withoutDetails(error.status, kind));
}

const withoutDetails = ({ details, ...status }: Status, kind: string): Status => {
  const { causes: _causes, ...subject } = details ?? {};
  return {
    ...status,
    message: `the request failed; the reason is withheld, because objects of kind ${kind} hold credentials`,
    ...(details === undefined ? {} : { details: subject }),
  };
};
