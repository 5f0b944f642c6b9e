import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { errors, type Names } from '@orch/machinery';
import { type Fields, isHostName } from '@orch/outbound';
import type { ApiRequest } from '@orch/request';

/** Header fields about one connection (RFC 9110 section 7.6.1). */
export const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const noOptions: ReadonlySet<string> = new Set();

/** The names that a Connection field adds to these. */
export const connectionOptions = (value: string | undefined): ReadonlySet<string> =>
  value === undefined || value === 'keep-alive' || value === 'close'
    ? noOptions
    : new Set(value.split(',').map((name) => name.trim().toLowerCase()));

/**
 * Credentials and identity of the client in every supported form. They are never sent to pods: `authorization` is valid
 * at this server, the others at servers that trust them.
 */
const identity: ReadonlySet<string> = new Set([
  'authorization',
  'x-remote-user',
  'x-remote-group',
  'x-remote-uid',
  'x-forwarded-client-cert',
]);
const identityPrefixes: readonly string[] = ['x-remote-extra-', 'impersonate-'];

/** Fields that this server writes itself, and fields that do not apply to the new connection. */
const replaced: ReadonlySet<string> = new Set([
  'content-length',
  'expect',
  'forwarded',
  'host',
  'sec-websocket-protocol',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-uri',
]);

/**
 * The name of a field as programs may compare it: some do not distinguish an underscore, or another character, from a
 * dash, since they read fields from environment variables.
 */
const plainName = (name: string): string => {
  const lower = name.toLowerCase();
  return /[^a-z0-9-]/.test(lower) ? lower.replace(/[^a-z0-9-]/g, '-') : lower;
};

/** Header fields in which a front proxy of this server names users, as configured by flags; in lower case. */
export interface IdentityFields {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
}

/** Trace context header fields of the current span; none without tracing. */
export type TraceHeaders = () => Readonly<Record<string, string>>;

/** Protocols that are tunnelled. Others would give the client a connection that this server cannot inspect. */
const TUNNELLED_PROTOCOLS: ReadonlySet<string> = new Set(['websocket', 'spdy/3.1']);

export const isTunnelledProtocol = (protocol: string): boolean => TUNNELLED_PROTOCOLS.has(protocol);

/** Decides which header fields of a request reach the backend. */
export class Forwarding {
  readonly #identityNames: ReadonlySet<string>;
  readonly #identityPrefixes: readonly string[];
  readonly #bearerPrefix: string;
  readonly #traceHeaders: TraceHeaders;

  constructor(
    names: Names,
    identityFields: IdentityFields = { names: [], prefixes: [] },
    traceHeaders: TraceHeaders = () => ({}),
  ) {
    this.#identityNames = new Set([...identity, ...identityFields.names.map(plainName)]);
    this.#identityPrefixes = [...identityPrefixes, ...identityFields.prefixes.map(plainName)];
    this.#traceHeaders = traceHeaders;
    this.#bearerPrefix = names.webSocketProtocols.bearerPrefix;
  }

  /** For `proxy` of pods, services and nodes: all fields about the message, and its origin. */
  proxied(
    request: ApiRequest,
    path: { readonly uri: string; readonly host: string },
  ): Record<string, string | readonly string[]> {
    const { headers } = request;
    const fields = this.#message(request);
    const host = clientHost(headers);
    // Links in pages are rewritten: pages must arrive uncompressed.
    if (String(headers.accept ?? '').includes('text/html')) delete fields['accept-encoding'];
    fields['host'] = host ?? path.host;
    fields['x-forwarded-proto'] = 'https';
    fields['x-forwarded-uri'] = path.uri;
    if (host !== undefined) fields['x-forwarded-host'] = host;
    return fields;
  }

  /** For extension API servers: all fields about the message, and those that this server states itself. */
  aggregated(
    request: ApiRequest,
    own: Readonly<Record<string, string | readonly string[]>>,
  ): Record<string, string | readonly string[]> {
    return Object.assign(this.#message(request), own);
  }

  /** All fields about the message, without those about the connection and about users. */
  #message(request: ApiRequest): Record<string, string | readonly string[]> {
    const { headers } = request;
    const dropped = connectionOptions(headers.connection);
    const fields: Record<string, string | readonly string[]> = Object.create(null);
    for (const name in headers) {
      const value = headers[name];
      if (value === undefined || name.startsWith(':') || dropped.has(name)) continue;
      if (hopByHop.has(name) || replaced.has(name) || this.#isIdentity(name)) continue;
      fields[name] = value;
    }
    if (headers['sec-websocket-protocol'] !== undefined)
      Object.assign(fields, this.#webSocketProtocols(headers));
    fields['x-forwarded-for'] = forwardedFor(request);
    const traced = this.#traceHeaders();
    // The span of this server replaces the client's as the parent: the trace state of the client is replaced with it.
    if ('traceparent' in traced) delete fields['tracestate'];
    return Object.assign(fields, traced);
  }

  /** For requests to a node agent that this server makes itself. */
  traced(): Fields {
    return this.#traceHeaders();
  }

  /** For streams of a node agent: only the fields that the protocol needs. */
  streamed(request: ApiRequest, host: string): Record<string, string | readonly string[]> {
    const { headers } = request;
    const fields: Record<string, string | readonly string[]> = Object.create(null);
    for (const name of ['user-agent', 'x-stream-protocol-version', ...webSocketFields]) {
      const value = headers[name];
      if (value !== undefined) fields[name] = value;
    }
    Object.assign(fields, this.#webSocketProtocols(headers));
    fields['host'] = host;
    fields['x-forwarded-for'] = forwardedFor(request);
    return Object.assign(fields, this.#traceHeaders());
  }

  #isIdentity(name: string): boolean {
    const plain = plainName(name);
    if (this.#identityNames.has(plain)) return true;
    for (const prefix of this.#identityPrefixes) if (plain.startsWith(prefix)) return true;
    return false;
  }

  /** Browsers cannot set Authorization on a WebSocket: their token is sent as an additional protocol, and removed here. */
  #webSocketProtocols(headers: IncomingHttpHeaders): Fields {
    const text = headers['sec-websocket-protocol'];
    if (text === undefined) return {};
    const kept = text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '' && !one.toLowerCase().startsWith(this.#bearerPrefix));
    return kept.length === 0 ? {} : { 'sec-websocket-protocol': kept.join(', ') };
  }
}

const webSocketFields = [
  'origin',
  'sec-websocket-extensions',
  'sec-websocket-key',
  'sec-websocket-version',
] as const;

/** The addresses through which the request came, beginning with those that the client sent. */
function forwardedFor({ headers, remoteAddress }: ApiRequest): string {
  const earlier = headers['x-forwarded-for'];
  const address = remoteAddress.startsWith('::ffff:') ? remoteAddress.slice(7) : remoteAddress;
  return earlier === undefined ? address : `${String(earlier)}, ${address}`;
}

/** The host of the client's request, if valid: programs build links from it. */
export function clientHost(headers: IncomingHttpHeaders): string | undefined {
  const text = headers.host ?? headers[':authority'];
  const match = /^(\[[0-9a-f:.]+\]|[^:@/[\]\s]+)(:\d{1,5})?$/i.exec(String(text ?? ''));
  const host = match?.[1]?.replace(/^\[|\]$/g, '') ?? '';
  return isIP(host) !== 0 || isHostName(host) ? match?.[0] : undefined;
}

/** Characters that are allowed in a request target (RFC 3986, and what real clients send besides). */
const targetForm = /^[!"$-~]*$/;

/**
 * Checks the path and query for a request line: over HTTP/2 they may hold characters that HTTP/1.1 cannot. Throws
 * `ApiError` 400.
 */
export function checkTarget(target: string): void {
  if (!targetForm.test(target))
    throw errors.badRequest('the request URL contains characters that must be percent-encoded');
}
