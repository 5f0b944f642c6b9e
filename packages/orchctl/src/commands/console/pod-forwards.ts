import type { Socket } from 'node:net';
import { ApiError, errors, messageOf } from '@orch/machinery';
import { asNumber, asObject, asText } from '@orch/machinery/json';
import { Listeners } from '../connect/listeners.ts';

/** A port of a pod. */
export interface PodPort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** A port of a pod that is open on this machine. */
export interface OpenPort extends PodPort {
  readonly local: number;
}

/** Joins a connection with a port of a pod until one of them ends. */
export type ForwardPort = (pod: PodPort, local: Socket, signal: AbortSignal) => Promise<void>;

const MAX_OPEN = 16;
/** Connections to one port at the same time. */
const MAX_CONNECTIONS = 64;

interface Opened {
  readonly port: OpenPort;
  readonly listeners: Listeners;
}

/** The ports of pods that the page has opened on this machine, until the page closes them or the program ends. */
export class PodForwards implements AsyncDisposable {
  readonly #forward: ForwardPort;
  readonly #signal: AbortSignal;
  readonly #opened = new Map<number, Opened>();
  #opening = 0;

  constructor(forward: ForwardPort, signal: AbortSignal) {
    this.#forward = forward;
    this.#signal = signal;
  }

  list(): readonly OpenPort[] {
    return [...this.#opened.values()].map(({ port }) => port);
  }

  /** Opens a free port of the loopback for a port of a pod; the same again when it is open. Rejects with a 429 at the limit. */
  async open(pod: PodPort): Promise<OpenPort> {
    const earlier = this.list().find((one) => keyOf(one) === keyOf(pod));
    if (earlier !== undefined) return earlier;
    if (this.#opened.size + this.#opening >= MAX_OPEN)
      throw errors.tooManyRequests(`${MAX_OPEN} ports are open: close one of them`);
    this.#opening++;
    let connections = 0;
    const listeners = new Listeners(async (local) => {
      // A connection that breaks is not a failure of the program.
      local.on('error', () => undefined);
      if (connections >= MAX_CONNECTIONS) return void local.destroy();
      connections++;
      await this.#forward(pod, local, this.#signal).catch(() => local.destroy());
      connections--;
    });
    try {
      const [first] = await listeners.open(['localhost'], { local: 0, remote: pod.port });
      const port = { ...pod, local: first?.local ?? 0 };
      this.#opened.set(port.local, { port, listeners });
      return port;
    } finally {
      this.#opening--;
    }
  }

  /** Closes a local port and its connections. */
  async close(local: number): Promise<void> {
    const opened = this.#opened.get(local);
    this.#opened.delete(local);
    await opened?.listeners[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#opened.keys()].map((local) => this.close(local)));
  }
}

const keyOf = ({ namespace, name, port }: PodPort): string => `${namespace}/${name}/${port}`;

/** The port that a page asks for. Throws a 400 for another body. */
export function podPortIn(body: Buffer): PodPort {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw errors.badRequest('the body is not JSON');
  }
  const { namespace, name, port } = asObject(value);
  const found = { namespace: asText(namespace), name: asText(name), port: asNumber(port) };
  const isName = /^[a-z0-9][a-z0-9.-]{0,252}$/;
  if (!isName.test(found.namespace) || !isName.test(found.name))
    throw errors.badRequest('the body must name a pod and its namespace');
  if (!Number.isInteger(found.port) || found.port < 1 || found.port > 65_535)
    throw errors.badRequest('the port must be between 1 and 65535');
  return found;
}

/** The failure of a request about ports, for the page. */
export const failureOf = (error: unknown): { readonly code: number; readonly message: string } =>
  error instanceof ApiError
    ? { code: error.status.code ?? 500, message: error.message }
    : { code: 500, message: messageOf(error) };
