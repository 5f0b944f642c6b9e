import { type FieldError, MAX_FIELD_ERRORS } from './field-error.ts';

/** One entry of `Status.details.causes`. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The body of every error answer, and of some successes (spec 7). */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string };
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** What a Status speaks of: `kind` is the plural resource, except for Invalid where it is the Kind. */
export interface Subject {
  readonly group: string;
  readonly kind: string;
  readonly name?: string;
}

/** The one way a request fails: carries the Status that the client gets. */
export class ApiError extends Error {
  readonly status: Status;

  constructor(status: Status, options?: { cause?: unknown }) {
    super(status.message ?? status.reason ?? 'request failed', options);
    this.name = 'ApiError';
    this.status = status;
  }
}

function failure(
  code: number,
  reason: string,
  message: string,
  rest: { details?: StatusDetails; continueToken?: string; cause?: unknown } = {},
): ApiError {
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: rest.continueToken === undefined ? {} : { continue: rest.continueToken },
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(rest.details === undefined ? {} : { details: rest.details }),
    code,
  };
  return new ApiError(status, rest.cause === undefined ? undefined : { cause: rest.cause });
}

const detailsOf = (subject: Subject): StatusDetails => ({
  ...(subject.name === undefined || subject.name === '' ? {} : { name: subject.name }),
  ...(subject.group === '' ? {} : { group: subject.group }),
  kind: subject.kind,
});

const qualified = (subject: Subject): string =>
  subject.group === '' ? subject.kind : `${subject.kind}.${subject.group}`;

const forbiddenSubject = (subject: Subject): string =>
  subject.name === undefined || subject.name === ''
    ? qualified(subject)
    : `${qualified(subject)} ${JSON.stringify(subject.name)}`;

/** The catalogue of failures: the only place where reasons, codes and their details are put together. */
export const errors = {
  badRequest: (message: string): ApiError => failure(400, 'BadRequest', message),
  unauthorized: (message = 'Unauthorized'): ApiError => failure(401, 'Unauthorized', message),
  forbidden: (subject: Subject, why: string, causes: readonly StatusCause[] = []): ApiError =>
    failure(403, 'Forbidden', `${forbiddenSubject(subject)} is forbidden: ${why}`, {
      details: { ...detailsOf(subject), ...(causes.length > 0 ? { causes } : {}) },
    }),
  forbiddenPath: (why: string): ApiError => failure(403, 'Forbidden', `forbidden: ${why}`, { details: {} }),
  notFound: (subject: Subject): ApiError =>
    failure(404, 'NotFound', `${qualified(subject)} ${JSON.stringify(subject.name ?? '')} not found`, {
      details: detailsOf(subject),
    }),
  resourceNotFound: (): ApiError =>
    failure(404, 'NotFound', 'the server could not find the requested resource', { details: {} }),
  alreadyExists: (subject: Subject, retryAfterSeconds?: number): ApiError =>
    failure(
      409,
      'AlreadyExists',
      `${qualified(subject)} ${JSON.stringify(subject.name ?? '')} already exists`,
      {
        details: { ...detailsOf(subject), ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
      },
    ),
  conflict: (subject: Subject, why: string, causes: readonly StatusCause[] = []): ApiError =>
    failure(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${qualified(subject)} ${JSON.stringify(subject.name ?? '')}: ${why}`,
      { details: { ...detailsOf(subject), ...(causes.length > 0 ? { causes } : {}) } },
    ),
  /** An apply that would take fields from other managers (spec 7): the causes say from whom. */
  applyConflict: (message: string, causes: readonly StatusCause[]): ApiError =>
    failure(409, 'Conflict', message, { details: { causes } }),
  expired: (message: string, continueToken?: string): ApiError =>
    failure(410, 'Expired', message, continueToken === undefined ? {} : { continueToken }),
  /** Says the first hundred problems. */
  invalid: (subject: Subject, all: readonly FieldError[]): ApiError => {
    const fields = all.slice(0, MAX_FIELD_ERRORS);
    const text = fields.map((e) => (e.field === '' ? e.message : `${e.field}: ${e.message}`));
    const list = text.length === 1 ? text[0] : `[${text.join(', ')}]`;
    return failure(
      422,
      'Invalid',
      `${qualified(subject)} ${JSON.stringify(subject.name ?? '')} is invalid: ${list}`,
      {
        details: {
          ...detailsOf(subject),
          causes: fields.map((e) => ({ reason: e.type, message: e.message, field: e.field })),
        },
      },
    );
  },
  /** A patch, or another well-formed body, that cannot be carried out: no object to speak of, perhaps causes. */
  unprocessable: (message: string, causes: readonly StatusCause[] = []): ApiError =>
    failure(422, 'Invalid', message, { details: causes.length > 0 ? { causes } : {} }),
  methodNotAllowed: (method: string): ApiError =>
    failure(405, 'MethodNotAllowed', `the server does not allow ${method} on the requested resource`, {
      details: {},
    }),
  notAcceptable: (supported: readonly string[]): ApiError =>
    failure(406, 'NotAcceptable', `only the following media types are accepted: ${supported.join(', ')}`),
  /** `hint` ends the message: what the client may have meant. */
  unsupportedMediaType: (got: string, supported: readonly string[], hint = ''): ApiError =>
    failure(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format (${JSON.stringify(got)}); accepted media types include: ${supported.join(', ')}${hint}`,
    ),
  requestEntityTooLarge: (limitBytes: number): ApiError =>
    failure(413, 'RequestEntityTooLarge', `the request body exceeds the limit of ${limitBytes} bytes`),
  /** What the request would store is larger than the store takes. */
  objectTooLarge: (message: string): ApiError => failure(413, 'RequestEntityTooLarge', message),
  /** `retryAfterSeconds` 0 says nothing about when: an eviction that a budget blocks. */
  tooManyRequests: (message: string, retryAfterSeconds = 1, causes: readonly StatusCause[] = []): ApiError =>
    failure(429, 'TooManyRequests', message, {
      details: {
        ...(causes.length > 0 ? { causes } : {}),
        ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
      },
    }),
  timeout: (message: string, retryAfterSeconds?: number, causes: readonly StatusCause[] = []): ApiError =>
    failure(504, 'Timeout', message, {
      details: {
        ...(causes.length > 0 ? { causes } : {}),
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      },
    }),
  /** A get or list ahead of what the server has, after waiting for it (spec 4.4). */
  tooLargeResourceVersion: (requested: string, current: string): ApiError =>
    failure(504, 'Timeout', `Too large resource version: ${requested}, current: ${current}`, {
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    }),
  /** `retryAfterSeconds` 0 says nothing about when: clients are not asked to try again by themselves. */
  serviceUnavailable: (message: string, retryAfterSeconds = 1): ApiError =>
    failure(503, 'ServiceUnavailable', message, {
      details: retryAfterSeconds === 0 ? {} : { retryAfterSeconds },
    }),
  internal: (cause: unknown, message = 'Internal error occurred'): ApiError =>
    failure(500, 'InternalError', message, {
      details: { causes: [{ message }] },
      cause,
    }),
  /** For the few answers that carry a code without a reason. */
  plain: (code: number, message: string): ApiError => failure(code, '', message),
} as const;
