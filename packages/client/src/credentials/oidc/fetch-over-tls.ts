import type { IncomingMessage } from 'node:http';
import { defaultAuthorities } from '../../default-authorities.ts';

export interface TlsRequest {
  readonly url: URL;
  /** PEM. The authorities of the system when absent. */
  readonly ca: string | undefined;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpResponse {
  readonly status: number;
  readonly body: Uint8Array;
}

/** Maximum size: discovery documents and tokens are far shorter. */
export const MAX_RESPONSE_BYTES = 1024 * 1024;

/**
 * One request over its own connection. Redirections are not followed, because the content is for one server only. Rejects
 * for an incomplete or too large response, and when the signal aborts.
 */
export function fetchOverTls(
  { url, ca, method, headers, body }: TlsRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  // Modules of the runtime are loaded on first use, so that the client loads quickly.
  const { request } = process.getBuiltinModule('node:https');
  const authorities = ca ?? defaultAuthorities();
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { ...headers, accept: 'application/json' },
      agent: false,
      signal,
      ...(authorities !== undefined && {
        ca: typeof authorities === 'string' ? authorities : [...authorities],
      }),
    };
    const sent = request(url, options, (response) => {
      readAll(response).then((bytes) => resolve({ status: response.statusCode ?? 0, body: bytes }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function readAll(response: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES)
      throw new Error(`the response is longer than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
