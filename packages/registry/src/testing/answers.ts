import { type ApiRequest, localRequest, type Reply } from '@orch/request';

/** An answer, read to its end. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  readonly bytes: Buffer;
  /** The body as JSON; undefined when it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of any form.
  readonly json: any;
}

export interface RequestParts {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request of a client; bodies that are not text or bytes are sent as JSON. */
export function requestOf(method: string, target: string, parts: RequestParts): ApiRequest {
  const { body, accept, contentType = body === undefined ? undefined : 'application/json' } = parts;
  const headers = {
    ...(accept === undefined ? {} : { accept }),
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...parts.headers,
  };
  const { 'audit-id': id } = parts.headers ?? {};
  const request = { method, target, headers, ...(id === undefined ? {} : { id }) };
  if (body === undefined) return localRequest(request);
  const sent = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return localRequest({ ...request, body: sent });
}

/** Reads an answer to its end. */
export async function readAnswer(reply: Reply): Promise<Answered> {
  const bytes = await bytesOf(reply);
  const text = bytes.toString();
  let json: { readonly value: unknown } | undefined;
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    bytes,
    // Many answers are not JSON.
    get json() {
      json ??= { value: parsed(text) };
      return json.value;
    },
  };
}

async function bytesOf(reply: Reply): Promise<Buffer> {
  if (reply.kind === 'bytes') return reply.body;
  if (reply.kind !== 'chunks') throw new Error('an answer that streams');
  const chunks: Buffer[] = [];
  for await (const chunk of reply.chunks) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (reply.length !== undefined && reply.length !== bytes.length) throw new Error('length is wrong');
  return bytes;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
