import { HTTP_BAD_REQUEST, HTTP_OK } from './status.ts';

export type DebugMethod = 'GET' | 'PUT' | 'POST';

/** A permitted request to an endpoint below `/debug`. */
export interface DebugRequest {
  readonly method: DebugMethod;
  readonly query: URLSearchParams;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Reads the body as text; undefined when it is longer than the limit. */
  body(limitBytes: number): Promise<string | undefined>;
}

export interface DebugAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** One endpoint below `/debug`. Answers must not contain secrets, nor data of objects. */
export interface DebugEndpoint {
  /** The exact path. */
  readonly path: string;
  /** One sentence for the list of endpoints. */
  readonly summary: string;
  readonly methods: readonly DebugMethod[];
  answer(request: DebugRequest): DebugAnswer | Promise<DebugAnswer>;
}

export function textAnswer(
  text: string,
  status = HTTP_OK,
  headers: DebugAnswer['headers'] = {},
): DebugAnswer {
  return {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', ...noStore, ...headers },
    body: Buffer.from(`${text}\n`),
  };
}

export const jsonAnswer = (value: unknown): DebugAnswer => ({
  status: HTTP_OK,
  headers: { 'Content-Type': 'application/json', ...noStore },
  body: Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`),
});

const noStore = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

export const badRequest = (text: string): DebugAnswer => textAnswer(text, HTTP_BAD_REQUEST);

/** The parameter `seconds` of a measurement, within bounds; the error response when it is invalid. */
export function secondsOf(
  query: URLSearchParams,
  { initial, most }: { readonly initial: number; readonly most: number },
): number | DebugAnswer {
  const text = query.get('seconds');
  if (text === null) return initial;
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= most) return seconds;
  return badRequest(`seconds must be an integer from 1 to ${most}`);
}
