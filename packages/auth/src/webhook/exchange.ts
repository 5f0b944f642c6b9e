import type { LookupFunction } from 'node:net';
import type { PeerCertificate } from 'node:tls';

/** How a service is connected to. */
export interface ConnectionOptions {
  /** Connections with HTTP/1.1 at one time. */
  readonly maxSockets?: number;
  readonly headers?: QuestionHeaders;
  /** Receives the certificate of each connection before its name is checked. */
  readonly sawCertificate?: (certificate: PeerCertificate) => void;
  /** Resolves names; that of the system when absent. */
  readonly lookup?: LookupFunction;
}

/** Header fields for one question, beside those that all have. */
export type QuestionHeaders = () => Readonly<Record<string, string>>;

/** An answer that was received to its end. */
export interface Answer {
  readonly status: number;
  /** Empty without a 2xx status. */
  readonly body: Buffer;
}

/** One request on a connection. */
export interface Post {
  /** With the query. */
  readonly path: string;
  /** With host and length. */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer;
  /** A longer body of an answer is a failure. */
  readonly maxAnswerBytes: number;
}

/** Why a service did not answer. `isPassing`: asking again may help. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly isPassing: boolean;
  /** Of an answer without 2xx. */
  readonly status: number | undefined;

  constructor(message: string, isPassing: boolean, status?: number) {
    super(message);
    this.isPassing = isPassing;
    this.status = status;
  }
}

/** Bodies of other answers are not read. */
export const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

export const tooLarge = (): RemoteError => new RemoteError('its answer is too large', false);
