import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { namesFor } from '@orch/machinery';
import { encodeYaml } from '@orch/machinery/yaml';
import { testCertificate } from '@orch/pki/x509/testing';

const apiVersion = namesFor('orch').apiVersion('imagepolicy', 'v1alpha1');

interface ReviewSpec {
  readonly containers: readonly { readonly image: string }[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly namespace: string;
}

type Respond = (outgoing: ServerResponse, backend: ImagePolicyBackend) => void;

function send(outgoing: ServerResponse, body: unknown, headers: Record<string, string> = {}): void {
  outgoing.writeHead(200, { 'content-type': 'application/json', ...headers });
  outgoing.end(JSON.stringify(body));
}

const review = (status: object): object => ({ apiVersion, kind: 'ImageReview', status });

/** More bytes than a server reads of a response, in chunks, until the connection is closed. */
function sendEndlessly(outgoing: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const more = (): void => {
    while (!outgoing.destroyed && outgoing.write(chunk));
  };
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.write('{"status": {"allowed": true, "reason": "');
  outgoing.on('drain', more);
  more();
}

/** The response of the backend, by the name of an image: `allowed:1`. */
const behaviours: Readonly<Record<string, Respond>> = {
  allowed: (outgoing) =>
    send(outgoing, review({ allowed: true, auditAnnotations: { 'signed-by': 'alice' } })),
  denied: (outgoing) => send(outgoing, review({ allowed: false, reason: 'not signed' })),
  failing: (outgoing) => outgoing.writeHead(503).end(),
  redirecting: (outgoing, { url }) => outgoing.writeHead(307, { location: `${url}/redirected` }).end(),
  lying: (outgoing) => send(outgoing, { ...review({ allowed: true }), kind: 'SubjectAccessReview' }),
  malformed: (outgoing) => outgoing.writeHead(200).end('{"status": {"allowed": true'),
  endless: sendEndlessly,
  silent: () => {},
  closing: (outgoing) => outgoing.destroy(),
};

/** A backend of image policies on a TLS port, which can be stopped and started again on the same port. */
export class ImagePolicyBackend implements Disposable {
  readonly #certificate = testCertificate({ commonName: 'images', use: 'server' });
  readonly reviews: ReviewSpec[] = [];
  readonly paths: string[] = [];
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  async start(certificate = this.#certificate): Promise<void> {
    const server = createServer(certificate, (incoming, outgoing) => void this.#answer(incoming, outgoing));
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Closes the port and all connections. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  [Symbol.dispose](): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  /** The client configuration file of the backend. */
  clientConfig(server = this.url): string {
    return encodeYaml({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'images',
          cluster: {
            server,
            'certificate-authority-data': Buffer.from(this.#certificate.cert).toString('base64'),
          },
        },
      ],
      users: [{ name: 'server', user: {} }],
      contexts: [{ name: 'images', context: { cluster: 'images', user: 'server' } }],
      'current-context': 'images',
    });
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of incoming) text += String(part);
    this.paths.push(incoming.url ?? '');
    const { spec } = JSON.parse(text) as { readonly spec: ReviewSpec };
    this.reviews.push(spec);
    const all = spec.containers.map(({ image }) => image.split(':')[0] ?? '');
    const name =
      incoming.url === '/redirected' ? 'allowed' : (all.find((image) => image !== 'allowed') ?? 'allowed');
    behaviours[name]?.(outgoing, this);
  }
}
