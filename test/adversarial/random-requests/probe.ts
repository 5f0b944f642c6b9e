import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import type { LaunchedServer } from '@orch/testkit';
import type { RandomRequest } from './requests.ts';

/** The response: the head, and the body of a failure. */
export interface Outcome {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Longer than a server takes for a request, 60 s: it answers with a failure before. */
const DEADLINE_MS = 90_000;

/** Sends requests unchanged, and reads no more of a successful response than its head: it may be a stream. */
export class Probe implements Disposable {
  readonly #server: Pick<LaunchedServer, 'config' | 'port'>;
  readonly #agent: Agent;

  constructor(server: Pick<LaunchedServer, 'config' | 'port'>) {
    const { ca, cert, key } = server.config;
    this.#server = server;
    this.#agent = new Agent({
      keepAlive: true,
      ca,
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  /** Rejects when the connection breaks, or when there is no answer in time. */
  send({ method, path, headers, body }: RandomRequest): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        host: '127.0.0.1',
        port: this.#server.port,
        method,
        path,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }) },
        agent: this.#agent,
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        readFailure(incoming).then(resolve, reject);
      });
      outgoing.end(body);
    });
  }
}

async function readFailure(incoming: IncomingMessage): Promise<Outcome> {
  const status = incoming.statusCode ?? 0;
  const contentType = incoming.headers['content-type'] ?? '';
  const chunks: Buffer[] = [];
  if (status < 300 && incoming.headers['content-length'] === undefined) {
    incoming.on('error', () => {});
    incoming.destroy();
    return { status, contentType, text: '' };
  }
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return { status, contentType, text: Buffer.concat(chunks).toString() };
}
