import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { parseJson } from '@orch/machinery/json';
import type { KeyPair } from '@orch/pki/x509';
import { testCertificate } from '@orch/pki/x509/testing';

// biome-ignore lint/suspicious/noExplicitAny: tests look into reviews of any form.
export type Review = any;

/** Answers a request; the parsed body is that of the review. */
export type AnswerReview = (review: Review, response: ServerResponse) => void;

/** An HTTPS server on a port of this machine that can be stopped and started again on the same port. */
export class WebhookServer implements AsyncDisposable {
  readonly #authority = testCertificate({ commonName: 'webhook-authority', use: 'authority' });
  readonly #serving: KeyPair;
  readonly #address: string;
  #server: Server | undefined;
  #port = 0;
  /** The reviews that were received. */
  readonly reviews: Review[] = [];
  /** Host headers and paths of the requests. */
  readonly requests: string[] = [];
  /** Their Authorization headers, where they have one. */
  readonly authorizations: string[] = [];
  /** The common names of their client certificates, where they have one. */
  readonly clientNames: string[] = [];
  answer: AnswerReview;
  /** PEM of the authority of the client certificates that are required after the next start; none are by default. */
  clientAuthority: string | undefined;

  private constructor(hosts: readonly string[], address: string, answer: AnswerReview) {
    this.#address = address;
    this.#serving = testCertificate({ commonName: 'webhook', use: 'server', hosts }, this.#authority);
    this.answer = answer;
  }

  /** `hosts` are the names in its certificate, and `address` is where it listens. */
  static async start(
    answer: AnswerReview,
    hosts: readonly string[] = ['127.0.0.1'],
    address = '127.0.0.1',
  ): Promise<WebhookServer> {
    const webhook = new WebhookServer(hosts, address, answer);
    await webhook.start();
    return webhook;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `https://${this.#address}:${this.#port}/convert`;
  }

  /** As definitions have it. */
  get caBundle(): string {
    return Buffer.from(this.#authority.cert).toString('base64');
  }

  /** Number of objects in all reviews. */
  get objectsSeen(): number {
    return this.reviews.reduce((sum, { request }) => sum + request.objects.length, 0);
  }

  async start(): Promise<void> {
    const clients = { ca: this.clientAuthority, requestCert: this.clientAuthority !== undefined };
    const server = createServer({ ...this.#serving, ...clients }, (incoming, outgoing) => {
      this.#serve(incoming, outgoing).catch(() => outgoing.destroy());
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, this.#address, resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const review: Review = parseJson(Buffer.concat(chunks));
    this.requests.push(`${incoming.headers.host} ${incoming.url}`);
    const { authorization } = incoming.headers;
    if (authorization !== undefined) this.authorizations.push(authorization);
    const { subject } = (incoming.socket as TLSSocket).getPeerCertificate();
    if (subject !== undefined) this.clientNames.push(String(subject.CN));
    this.reviews.push(review);
    this.answer(review, outgoing);
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** The answer to a review in its own version, with the objects that `convert` returns. */
export const reviewAnswer = (review: Review, convert: (object: Review, to: string) => Review): Review => ({
  apiVersion: review.apiVersion,
  kind: review.kind,
  response: {
    uid: review.request.uid,
    result: { status: 'Success' },
    convertedObjects: review.request.objects.map((object: Review) =>
      convert(object, review.request.desiredAPIVersion),
    ),
  },
});
