import { once } from 'node:events';
import { createServer, connect as openSocket, type Socket, type TcpNetConnectOpts } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { reader, servingTls, type TestServer, testServer } from '@orch/http/testing';
import { createRegistry } from '@orch/registry';
import { pod, RegistryFixture, type RegistryFixtureOptions, servedParts } from '@orch/registry/testing';
import { type ConnectOptions, createConnector } from '../index.ts';

/** The address of pods and nodes in these tests; connections to it are opened to this machine. */
export const somewhere = '198.51.100.7';

export const namespace = '/api/v1/namespaces/default';

/** The API over sockets, with one node and programs on this machine. The clock of connections is fake. */
export interface ConnectFixture extends AsyncDisposable {
  readonly api: RegistryFixture;
  readonly server: TestServer;
  /** Hosts and ports that were dialled. */
  readonly dialed: string[];
  /** Creates a node `n` whose agent listens on a port of this machine. */
  node(port: number, address?: object): Promise<void>;
  /** Creates a pod `p` on node `n`, at `somewhere`. */
  pod(name: string, spec?: object, status?: object): Promise<void>;
}

/** Sends a raw request and returns everything that is received until the connection ends. */
export async function exchanged(f: ConnectFixture, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = await f.server.connect();
  const out = reader(socket);
  for (const part of parts) socket.write(part);
  await out.closed;
  return out.text();
}

/** A registry in process that connects to nodes, pods and services. */
export const openConnected = (
  connect: ConnectOptions = {},
  options: RegistryFixtureOptions = {},
): Promise<RegistryFixture> =>
  RegistryFixture.assembled(options, (parts) => {
    const connector = createConnector(parts.env, parts.names, connect);
    return servedParts(createRegistry({ ...parts, connector }));
  });

export async function connectFixture(
  connect: ConnectOptions = {},
  options: RegistryFixtureOptions = {},
): Promise<ConnectFixture> {
  const dialed: string[] = [];
  const openTcp = (options: TcpNetConnectOpts): Socket => {
    dialed.push(`${options.host}:${options.port}`);
    return openSocket({ ...options, host: '127.0.0.1' });
  };
  const api = await openConnected({ openTcp, ...connect }, options);
  const server = await testServer({
    resources: api.registry.resources,
    server: { tracing: options.tracing },
  });
  const write = async (path: string, object: { metadata: { name: string }; status: object }) => {
    await api.post(path, object);
    await api.put(`${path}/${object.metadata.name}/status`, object);
  };
  return {
    api,
    server,
    dialed,
    node: (port, address = { type: 'InternalIP', address: somewhere }) =>
      write('/api/v1/nodes', {
        ...{ kind: 'Node', apiVersion: 'v1' },
        metadata: { name: 'n' },
        status: {
          addresses: [address],
          daemonEndpoints: { [api.names.field('nodeagentEndpoint')]: { Port: port } },
        },
      }),
    pod: (name, spec = {}, status = {}) =>
      write(`${namespace}/pods`, {
        ...(pod(name, { nodeName: 'n', ...spec }) as { metadata: { name: string } }),
        status: { phase: 'Running', podIP: somewhere, podIPs: [{ ip: somewhere }], ...status },
      }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}

/** A listener on this machine that handles connections as a test requires. */
export interface Backend extends AsyncDisposable {
  readonly port: number;
  /** All received data, as text. */
  received(): string;
  /** Resolves when the received text matches. */
  until(pattern: RegExp): Promise<string>;
  /** Number of connections so far. */
  readonly connections: number;
  /** Resolves when there was a connection and none is open. */
  idle(): Promise<void>;
}

/** `serve` is called for each connection, and `answer` when its first request head is complete. */
export async function backend(options: {
  readonly tls?: boolean;
  /** Keeps the connection open after the FIN of its client. */
  readonly allowHalfOpen?: boolean;
  readonly answer: (socket: Socket, head: string) => void;
}): Promise<Backend> {
  const { allowHalfOpen = false } = options;
  const sockets = new Set<Socket>();
  let connections = 0;
  let text = '';
  const checks = new Set<() => void>();
  const onSocket = (socket: Socket | TLSSocket): void => {
    connections++;
    sockets.add(socket);
    let head = '';
    let isAnswered = false;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      for (const check of checks) check();
    });
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      head += chunk.toString('latin1');
      for (const check of checks) check();
      if (isAnswered || !head.includes('\r\n\r\n')) return;
      isAnswered = true;
      options.answer(socket, head.slice(0, head.indexOf('\r\n\r\n')));
    });
  };
  const server =
    options.tls === true
      ? createTlsServer({ ...servingTls, allowHalfOpen }, onSocket)
      : createServer({ allowHalfOpen }, onSocket);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const when = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!holds()) return;
        checks.delete(check);
        resolve();
      };
      checks.add(check);
      check();
    });
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    received: () => text,
    async until(pattern) {
      await when(() => pattern.test(text));
      return text;
    },
    idle: () => when(() => connections > 0 && sockets.size === 0),
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A complete answer with a length. */
export const answered = (status: string, body: string, ...fields: readonly string[]): string =>
  [`HTTP/1.1 ${status}`, ...fields, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n');
