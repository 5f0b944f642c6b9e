import type { Clock, Names } from '@orch/machinery';
import { withDeadline } from '@orch/machinery/concurrency';
import { OutboundFailure, readAnswer } from '@orch/outbound';
import type { Backend } from '../backend/backend.ts';
import { ownRequest, twice } from './own-request.ts';

/** Time limit for the whole document, including the connection. */
const FETCH_TIMEOUT_MS = 10_000;

export interface DocumentRequest {
  readonly path: string;
  readonly accept: string;
  /** The ETag of the document that is already known. */
  readonly etag: string | undefined;
  readonly maxBytes: number;
}

export type FetchedDocument =
  /** The document with the ETag of the request is still current. */
  | { readonly kind: 'unchanged' }
  /** The server has no such document, or not in the requested format. */
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'document';
      readonly body: Buffer;
      readonly etag: string | undefined;
      readonly contentType: string;
    };

export interface FetchContext {
  readonly clock: Clock;
  readonly names: Names;
}

/**
 * Reads a document of an extension API server, as the server itself and with all permissions, within a limit of bytes and
 * time. Rejects with `NotSent`, `OutboundFailure` or `DeadlineExceeded` when it cannot be read, or with the signal's reason.
 */
export async function fetchDocument(
  backend: Backend,
  request: DocumentRequest,
  context: FetchContext & { readonly signal: AbortSignal },
): Promise<FetchedDocument> {
  using limit = withDeadline(context.signal, context.clock, FETCH_TIMEOUT_MS);
  return await twice(() => fetchOnce(backend, request, { names: context.names, signal: limit.signal }));
}

async function fetchOnce(
  backend: Backend,
  { path, accept, etag, maxBytes }: DocumentRequest,
  { names, signal }: { readonly names: Names; readonly signal: AbortSignal },
): Promise<FetchedDocument> {
  const headers = { accept, ...(etag === undefined ? {} : { 'if-none-match': etag }) };
  const answer = await backend.request(ownRequest(backend, { target: path, headers }, names), signal);
  if (answer.kind === 'upgraded') throw new OutboundFailure('it changed the protocol');
  const pieces = await readAnswer(answer, maxBytes, signal);
  const { status, fields } = answer;
  if (status === 304 && etag !== undefined) return { kind: 'unchanged' };
  if (status === 404 || status === 406) return { kind: 'absent' };
  if (status !== 200) throw new OutboundFailure(`bad status ${status} for ${path}`);
  const body = Buffer.concat(pieces);
  if (body.length > maxBytes) throw new OutboundFailure(`${path} is larger than ${maxBytes} bytes`);
  return {
    kind: 'document',
    body,
    etag: textOf(fields['etag']),
    contentType: textOf(fields['content-type']) ?? '',
  };
}

const textOf = (field: unknown): string | undefined => (typeof field === 'string' ? field : undefined);
