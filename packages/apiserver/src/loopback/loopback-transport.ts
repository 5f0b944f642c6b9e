import type { UserInfo } from '@orch/auth';
import type { LoopbackBody } from './loopback-body.ts';

/** A request of this process to its own server. Names of header fields are in lower case. */
export interface LoopbackRequest {
  readonly method: string;
  /** Path and query: `/api/v1/pods?limit=5`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | undefined;
}

export interface LoopbackResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: LoopbackBody;
}

/** In-process transport to the server of this process: every stage of the request pipeline, and no socket. */
export interface LoopbackTransport {
  /** `Authorization` header of the loopback user. Rejected on every other connection. */
  readonly authorization: string;
  /** Makes an `Authorization` header of another user, which is rejected on every other connection too. */
  authorizationOf(user: UserInfo): string;
  /**
   * Rejects with the signal's reason only: errors of the server are responses. The signal, and leaving the loop
   * over the body, cancel the request. An incomplete body throws.
   */
  send(request: LoopbackRequest, signal: AbortSignal): Promise<LoopbackResponse>;
}
