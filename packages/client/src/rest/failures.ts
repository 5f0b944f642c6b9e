import { ApiError, type Status, type StatusCause, type StatusDetails } from '@orch/machinery';
import { isJsonObject, parseJsonPart } from '@orch/machinery/json';
import type { TransportResponse } from '../transport/transport.ts';
import { lenientTextOf, textOf } from './bytes.ts';
import { readSome } from './read-body.ts';

/** Maximum size of a failed response that is read. */
const MAX_FAILURE_BYTES = 1024 * 1024;
/** Maximum part of a body that is not a Status in an error message. */
const MAX_TEXT_CHARS = 1024;

const reasons: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** The error for a failed response: the Status of the server, or one derived from the response. */
export async function failureOf(response: TransportResponse): Promise<ApiError> {
  const bytes = await readSome(response, MAX_FAILURE_BYTES);
  const found = statusIn(bytes, response.status);
  if (found !== undefined) return new ApiError(found);
  return new ApiError(madeStatus(response, bytes));
}

function statusIn(bytes: Uint8Array, code: number): Status | undefined {
  try {
    return readStatus(parseJsonPart(textOf(bytes), {}), code);
  } catch {
    return undefined;
  }
}

/** The Status in a JSON value without fields of other types; undefined when it is none. `code`: if it has none. */
export function readStatus(value: unknown, code: number): Status | undefined {
  if (!isJsonObject(value) || value['kind'] !== 'Status') return undefined;
  const metadata = isJsonObject(value['metadata']) ? value['metadata'] : {};
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: { ...text(metadata, 'continue'), ...text(metadata, 'resourceVersion') },
    status: value['status'] === 'Success' ? 'Success' : 'Failure',
    ...text(value, 'message'),
    ...text(value, 'reason'),
    ...(isJsonObject(value['details']) ? { details: detailsIn(value['details']) } : {}),
    code: typeof value['code'] === 'number' && value['code'] > 0 ? value['code'] : code,
  };
}

const text = <K extends string>(from: Record<string, unknown>, name: K): { [N in K]?: string } => {
  const value = from[name];
  return (typeof value === 'string' ? { [name]: value } : {}) as { [N in K]?: string };
};

function detailsIn(details: Record<string, unknown>): StatusDetails {
  const { causes, retryAfterSeconds } = details;
  return {
    ...text(details, 'name'),
    ...text(details, 'group'),
    ...text(details, 'kind'),
    ...text(details, 'uid'),
    ...(Array.isArray(causes) ? { causes: causes.filter(isJsonObject).map(causeIn) } : {}),
    ...(typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {}),
  };
}

const causeIn = (cause: Record<string, unknown>): StatusCause => ({
  ...text(cause, 'reason'),
  ...text(cause, 'message'),
  ...text(cause, 'field'),
});

function madeStatus({ status: code, headers }: TransportResponse, bytes: Uint8Array): Status {
  const reason = reasons[code] ?? (code >= 500 ? 'InternalError' : 'Unknown');
  const body = lenientTextOf(bytes).trim();
  const excerpt = body.length > MAX_TEXT_CHARS ? `${body.slice(0, MAX_TEXT_CHARS)}…` : body;
  const where = headers['location'];
  // Servers list their paths, or have no page, when they do not serve the requested path.
  const isUnknownPath = code === 404 && /^(?:|\{[\s\S]*|404 page not found)$/.test(body);
  const what =
    code >= 300 && code < 400 && where !== undefined
      ? `the server redirects to ${where}`
      : `the server responded ${code}`;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: isUnknownPath
      ? 'the server could not find the requested resource'
      : excerpt === ''
        ? what
        : `${what}: ${excerpt}`,
    reason,
    details: {},
    code,
  };
}
