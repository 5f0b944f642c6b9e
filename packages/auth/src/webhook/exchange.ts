import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
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

/** The head of an answer, and its body, which must be read or destroyed. */
export interface Answer {
  readonly status: number;
  readonly body: Readable;
}

/** One request on a connection. */
export interface Post {
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string | Buffer;
}
