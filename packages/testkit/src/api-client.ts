import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { parseYaml } from '@orch/machinery/yaml';

/** The decoded content of an admin client configuration file. */
export interface ClientConfig {
  readonly server: string;
  readonly ca: Buffer;
  readonly cert: Buffer | undefined;
  readonly key: Buffer | undefined;
  readonly token: string | undefined;
}

interface ConfigFile {
  readonly clusters: readonly { cluster: Record<string, string> }[];
  readonly users: readonly { user: Record<string, string> }[];
}

const base64 = (text: string | undefined): Buffer | undefined =>
  text === undefined ? undefined : Buffer.from(text, 'base64');

/** Reads a client configuration with one cluster and one user and embedded data, as the server writes it. */
export function readClientConfig(path: string): ClientConfig {
  const file = parseYaml(readFileSync(path)) as ConfigFile;
  const cluster = file.clusters[0]?.cluster ?? {};
  const user = file.users[0]?.user ?? {};
  return {
    server: cluster['server'] ?? '',
    ca: base64(cluster['certificate-authority-data']) ?? Buffer.alloc(0),
    cert: base64(user['client-certificate-data']),
    key: base64(user['client-key-data']),
    token: user['token'],
  };
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Parsed body; undefined when it is not JSON. */
  readonly json: unknown;
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | object;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

/** A small HTTP/1.1 client over keep-alive TLS connections, for tests: every answer is data, none throws. */
export class ApiClient implements Disposable {
  readonly #config: ClientConfig;
  readonly #agent: Agent;

  constructor(config: ClientConfig, options: { maxSockets?: number; server?: string } = {}) {
    this.#config = options.server === undefined ? config : { ...config, server: options.server };
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: options.maxSockets ?? 16,
      ca: config.ca,
      ...(config.cert === undefined ? {} : { cert: config.cert }),
      ...(config.key === undefined ? {} : { key: config.key }),
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #open(method: string, path: string, options: RequestOptions) {
    const { body } = options;
    const payload =
      body === undefined
        ? undefined
        : typeof body === 'string' || Buffer.isBuffer(body)
          ? body
          : JSON.stringify(body);
    const outgoing = request(new URL(path, this.#config.server), {
      method,
      agent: this.#agent,
      headers: {
        ...(payload === undefined
          ? {}
          : {
              'content-type': options.contentType ?? 'application/json',
              'content-length': Buffer.byteLength(payload),
            }),
        ...(this.#config.token === undefined ? {} : { authorization: `Bearer ${this.#config.token}` }),
        ...options.headers,
      },
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    outgoing.end(payload);
    return outgoing;
  }

  /** Sends one request and reads the whole answer. Rejects only when the connection breaks. */
  send(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(method, path, options);
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          let json: unknown;
          try {
            json = JSON.parse(text);
          } catch {
            json = undefined;
          }
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json });
        });
      });
    });
  }

  get(path: string, options?: RequestOptions): Promise<ApiResponse> {
    return this.send('GET', path, options);
  }

  post(path: string, body: object | string, options: RequestOptions = {}): Promise<ApiResponse> {
    return this.send('POST', path, { ...options, body });
  }

  put(path: string, body: object | string, options: RequestOptions = {}): Promise<ApiResponse> {
    return this.send('PUT', path, { ...options, body });
  }

  delete(path: string, options?: RequestOptions): Promise<ApiResponse> {
    return this.send('DELETE', path, options);
  }

  /** Streams the JSON lines of a watch until the server ends it, the signal aborts, or the consumer stops. */
  async *watch(
    path: string,
    signal: AbortSignal,
    { headers = {} }: Pick<RequestOptions, 'headers'> = {},
  ): AsyncGenerator<WatchEvent> {
    const outgoing = this.#open('GET', path, { signal, headers });
    const incoming = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve);
      outgoing.on('error', reject);
    });
    if (incoming.statusCode !== 200) {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      throw new Error(`watch answered ${incoming.statusCode}: ${Buffer.concat(chunks).toString()}`);
    }
    let rest = '';
    incoming.setEncoding('utf8');
    for await (const chunk of incoming) {
      const lines = (rest + (chunk as string)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') yield JSON.parse(line) as WatchEvent;
    }
  }
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: {
    readonly metadata: {
      readonly name?: string;
      readonly resourceVersion: string;
      readonly annotations?: Record<string, string>;
    };
    readonly [field: string]: unknown;
  };
}
