import type { Outcome } from './probe.ts';
import type { RandomRequest } from './requests.ts';

interface StatusBody {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly status?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

/** The error in the response to an invalid request; undefined when the response is correct. */
export function problemOf(request: RandomRequest, outcome: Outcome): string | undefined {
  const { status, contentType, text } = outcome;
  if (status >= 500 && !isAhead(request, outcome) && !isUnreachable(request, outcome)) return `${status}`;
  if (status < 400 || request.method === 'HEAD') return undefined;
  // Other forms of a Status have their own tests.
  if (contentType.startsWith('application/yaml') || contentType.includes('protobuf')) return undefined;
  if (contentType.startsWith('text/plain') && text === '404 page not found\n') return undefined;
  const body = parsed(text);
  if (body === undefined) return `a failure that is not JSON: ${contentType}`;
  const { kind, apiVersion, status: verdict, code, message } = body;
  if (kind !== 'Status' || apiVersion !== 'v1' || verdict !== 'Failure')
    return 'a failure that is not a Status';
  if (code !== status) return `a Status with code ${String(code)}`;
  return typeof message === 'string' && message.length > 5 ? undefined : 'a Status without a message';
}

/** A read of a version that the server does not have yet: 504, after it was waited for (spec 4.4). */
const isAhead = ({ method, path }: RandomRequest, { status, text }: Outcome): boolean =>
  status === 504 &&
  (method === 'HEAD'
    ? path.includes('resourceVersion=')
    : /Too large resource version/.test(text) && /ResourceVersionTooLarge/.test(text));

/** The request is valid: the program that it is for does not run (as in the reference). */
const isUnreachable = ({ method, path }: RandomRequest, { status, text }: Outcome): boolean =>
  status === 503 &&
  /\/(?:proxy|log|exec|attach|portforward)(?:\?|$)/.test(path) &&
  (method === 'HEAD' || /no endpoints available for service|has no address of type/.test(text));

function parsed(text: string): StatusBody | undefined {
  try {
    return JSON.parse(text) as StatusBody;
  } catch {
    return undefined;
  }
}
