import { type FieldError, MAX_FIELD_ERRORS, messageWithoutValue } from './field-error.ts';

/** One entry of `Status.details.causes`. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The object that a Status is about, and the causes of a failure. */
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

/** The answer of an admission webhook about a request that it denies. */
export interface DeniedStatus {
  /** Code of the answer to the client. */
  readonly code: number;
  /** Empty without one. */
  readonly message: string;
  readonly reason: string;
  readonly details: StatusDetails | undefined;
}

/** The object or resource of a Status: `kind` is the plural resource, except for Invalid where it is the Kind. */
export interface Subject {
  readonly group: string;
  readonly kind: string;
  readonly name?: string;
}

interface ApiErrorOptions {
  readonly cause?: unknown;
  readonly withoutValues?: () => Status;
  readonly unrecognized?: readonly string[];
}

/** The error of a failed request, with the Status that the client receives. */
export class ApiError extends Error {
  readonly status: Status;
  /** Identifiers from the request that are unknown to the server, where they are the cause of the failure. */
  readonly unrecognized: readonly string[];
  readonly #withoutValues: (() => Status) | undefined;

  constructor(status: Status, options: ApiErrorOptions = {}) {
    const { cause, withoutValues, unrecognized = [] } = options;
    super(status.message ?? status.reason ?? 'request failed', cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.status = status;
    this.unrecognized = unrecognized;
    this.#withoutValues = withoutValues;
  }

  /** The code of the HTTP response. */
  get code(): number {
    return this.status.code;
  }

  /** The reason for programs, such as `NotFound`; empty without one. */
  get reason(): string {
    return this.status.reason ?? '';
  }

  /** The object, the causes and the time of a retry, as far as the server gives them. */
  get details(): StatusDetails {
    return this.status.details ?? {};
  }

  /**
   * The status for an object that contains credentials: of the body of the request, it contains only names of fields
   * and of the object. Undefined when the failure was not declared to have such a form.
   */
  statusWithoutValues(): Status | undefined {
    return this.#withoutValues?.();
  }

  /** The same failure, with a suffix of its message. */
  ending(hint: string): ApiError {
    const ended = (status: Status): Status => ({ ...status, message: `${status.message ?? ''}${hint}` });
    const without = this.#withoutValues;
    return new ApiError(ended(this.status), {
      cause: this,
      ...(without === undefined ? {} : { withoutValues: () => ended(without()) }),
    });
  }
}

/** The change of a status for an object that contains credentials. */
type Instead = () => Pick<Status, 'message' | 'details'>;

/** The message repeats no value. */
const theSame: Instead = () => ({});

/** Another message; none when it is not known. */
const saying = (message: string | undefined): Instead | undefined =>
  message === undefined ? undefined : () => ({ message });

function failure(
  code: number,
  reason: string,
  message: string,
  rest: {
    details?: StatusDetails;
    continueToken?: string;
    cause?: unknown;
    withoutValues?: Instead | undefined;
    unrecognized?: readonly string[];
  } = {},
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
  const { cause, withoutValues, unrecognized = [] } = rest;
  return new ApiError(status, {
    cause,
    unrecognized,
    ...(withoutValues === undefined ? {} : { withoutValues: () => ({ ...status, ...withoutValues() }) }),
  });
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

/** The first hundred problems as a message and its causes. */
function problemList(
  subject: Subject,
  all: readonly FieldError[],
  messageOf: (error: FieldError) => string,
): { readonly message: string; readonly details: StatusDetails } {
  const fields = all.slice(0, MAX_FIELD_ERRORS);
  const text = fields.map((e) => (e.field === '' ? messageOf(e) : `${e.field}: ${messageOf(e)}`));
  const list = text.length === 1 ? text[0] : `[${text.join(', ')}]`;
  return {
    message: `${qualified(subject)} ${JSON.stringify(subject.name ?? '')} is invalid: ${list}`,
    details: {
      ...detailsOf(subject),
      causes: fields.map((e) => ({ reason: e.type, message: messageOf(e), field: e.field })),
    },
  };
}

/** The known facts about the object that has the name already. */
interface ExistingObject {
  readonly retryAfterSeconds?: number | undefined;
  readonly isDeleted?: boolean;
}

/**
 * The catalogue of failures: the only place where reasons, codes and their details are put together. `withoutValues` is
 * the message for an object that contains credentials: it repeats no value of the body. Where it is left out, and the
 * kind of failure may repeat values, the clients of such objects learn no details.
 */
export const errors = {
  badRequest: (message: string, withoutValues?: string): ApiError =>
    failure(400, 'BadRequest', message, { withoutValues: saying(withoutValues) }),
  /** A 400 whose message contains no part of the body. */
  malformedRequest: (message: string): ApiError =>
    failure(400, 'BadRequest', message, { withoutValues: theSame }),
  /** An object of a group version that is not that of its path. */
  wrongApiVersion: (
    message: string,
    messages: { readonly withoutValues?: string; readonly unrecognized: string },
  ): ApiError =>
    failure(400, 'BadRequest', message, {
      withoutValues: saying(messages.withoutValues),
      unrecognized: [messages.unrecognized],
    }),
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
  /** `isDeleted`: the object that exists is being deleted, so that its name becomes free. */
  alreadyExists: (
    subject: Subject,
    { retryAfterSeconds, isDeleted = false }: ExistingObject = {},
  ): ApiError =>
    failure(
      409,
      'AlreadyExists',
      `${isDeleted ? 'object is being deleted: ' : ''}${qualified(subject)} ${JSON.stringify(subject.name ?? '')} already exists`,
      {
        details: { ...detailsOf(subject), ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
      },
    ),
  conflict: (subject: Subject, why: string, causes: readonly StatusCause[] = []): ApiError =>
    failure(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${qualified(subject)} ${JSON.stringify(subject.name ?? '')}: ${why}`,
      {
        details: { ...detailsOf(subject), ...(causes.length > 0 ? { causes } : {}) },
        withoutValues: theSame,
      },
    ),
  /** A conflict about a value of the body: `withoutValues` is the message without the value. */
  conflictingValue: (subject: Subject, why: string, withoutValues: string): ApiError => {
    const text = `Operation cannot be fulfilled on ${qualified(subject)} ${JSON.stringify(subject.name ?? '')}`;
    return failure(409, 'Conflict', `${text}: ${why}`, {
      details: detailsOf(subject),
      withoutValues: saying(`${text}: ${withoutValues}`),
    });
  },
  /** An apply that would take fields from other managers (spec 7): the causes name the managers. */
  applyConflict: (message: string, causes: readonly StatusCause[]): ApiError =>
    failure(409, 'Conflict', message, { details: { causes }, withoutValues: theSame }),
  expired: (message: string, continueToken?: string): ApiError =>
    failure(410, 'Expired', message, continueToken === undefined ? {} : { continueToken }),
  /** Its message and causes contain the first hundred problems. */
  invalid: (subject: Subject, all: readonly FieldError[]): ApiError => {
    const { message, details } = problemList(subject, all, (error) => error.message);
    return failure(422, 'Invalid', message, {
      details,
      withoutValues: () => problemList(subject, all, messageWithoutValue),
    });
  },
  /**
   * A patch, or another well-formed body, that cannot be processed: details without an object, with causes if there are
   * any.
   */
  unprocessable: (message: string, causes: readonly StatusCause[] = [], withoutValues?: Instead): ApiError =>
    failure(422, 'Invalid', message, { details: causes.length > 0 ? { causes } : {}, withoutValues }),
  methodNotAllowed: (method: string): ApiError =>
    failure(405, 'MethodNotAllowed', `the server does not allow ${method} on the requested resource`, {
      details: {},
    }),
  /** A 405 with a reason: the verb is not allowed while the resource is in some state. */
  verbNotAllowed: (subject: Subject, why: string): ApiError =>
    failure(405, 'MethodNotAllowed', why, { details: detailsOf(subject), withoutValues: theSame }),
  notAcceptable: (supported: readonly string[]): ApiError =>
    failure(406, 'NotAcceptable', `only the following media types are accepted: ${supported.join(', ')}`),
  unsupportedMediaType: (got: string, supported: readonly string[]): ApiError =>
    failure(
      415,
      'UnsupportedMediaType',
      `the body of the request was in an unknown format (${JSON.stringify(got)}); accepted media types include: ${supported.join(', ')}`,
    ),
  requestEntityTooLarge: (limitBytes: number): ApiError =>
    failure(413, 'RequestEntityTooLarge', `the request body exceeds the limit of ${limitBytes} bytes`),
  /** The object or record that the request would store exceeds the limit of the store. */
  objectTooLarge: (message: string): ApiError => failure(413, 'RequestEntityTooLarge', message),
  /** `retryAfterSeconds` 0 sets no time for the retry: an eviction that a budget blocks. */
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
  /** The error of a get or list for a revision that the server has not reached, after waiting for it (spec 4.4). */
  tooLargeResourceVersion: (requested: string, current: string): ApiError =>
    failure(504, 'Timeout', `Too large resource version: ${requested}, current: ${current}`, {
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    }),
  /** `retryAfterSeconds` 0 sets no time for the retry: clients receive no header `Retry-After`. */
  serviceUnavailable: (message: string, retryAfterSeconds = 1): ApiError =>
    failure(503, 'ServiceUnavailable', message, {
      details: retryAfterSeconds === 0 ? {} : { retryAfterSeconds },
    }),
  /** Nothing was written, and a retry fails until space is freed: the answer therefore requests none. */
  storageFull: (message: string): ApiError =>
    failure(503, 'ServiceUnavailable', message, {
      details: { causes: [{ reason: 'StorageFull', message }] },
    }),
  /** Something that the request needs does not exist yet: clients retry after a second. */
  serverTimeout: (subject: Subject, message: string): ApiError =>
    failure(500, 'ServerTimeout', message, {
      details: { ...detailsOf(subject), retryAfterSeconds: 1 },
    }),
  internal: (cause: unknown, message = 'Internal error occurred'): ApiError =>
    failure(500, 'InternalError', message, {
      details: { causes: [{ message }] },
      cause,
    }),
  /** An admission webhook that failed, or whose answer cannot be used. The message names it. */
  failedWebhook: (problem: string, cause?: unknown): ApiError => {
    const message = `Internal error occurred: ${problem}`;
    return failure(500, 'InternalError', message, {
      details: { causes: [{ message: problem }] },
      cause,
      withoutValues: theSame,
    });
  },
  /** The status with which an admission webhook denied a request. Its text is meant for the client. */
  deniedByWebhook: (webhook: string, { code, reason, message, details }: DeniedStatus): ApiError => {
    const denied = `admission webhook ${JSON.stringify(webhook)} denied the request`;
    const why = message || reason;
    return failure(code, reason, why === '' ? `${denied} without explanation` : `${denied}: ${why}`, {
      ...(details === undefined ? {} : { details }),
      withoutValues: theSame,
    });
  },
  /** For the few answers with a code and without a reason. */
  plain: (code: number, message: string, withoutValues?: string): ApiError =>
    failure(code, '', message, { withoutValues: saying(withoutValues) }),
} as const;
