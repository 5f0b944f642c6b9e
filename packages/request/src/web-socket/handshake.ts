import { createHash } from 'node:crypto';
import { errors, type Names } from '@orch/machinery';
import type { ApiRequest, HeaderList } from '../message/types.ts';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const VERSION = '13';

/** The encoding of the messages of a connection: as they are, as binary frames, or as Base64 in text frames. */
export type MessageForm = 'plain' | 'binary' | 'base64';

/** An accepted WebSocket handshake (RFC 6455 section 4.2). */
export interface AcceptedWebSocket {
  /** Header fields of the 101. */
  readonly headers: HeaderList;
  readonly form: MessageForm;
}

/**
 * Accepts a request to upgrade the connection to WebSocket; undefined when the request asks for no such upgrade, or its
 * connection does not support it (HTTP/2). 400 for a handshake that is not valid. 403 when a page of another origin uses
 * the client certificate of a browser.
 */
export function acceptWebSocket(request: ApiRequest, names: Names): AcceptedWebSocket | undefined {
  if (request.upgrade() !== 'websocket') return undefined;
  const { headers } = request;
  if (headers['sec-websocket-version'] !== VERSION)
    throw errors.malformedRequest(`Sec-WebSocket-Version must be ${VERSION}`);
  const key = headers['sec-websocket-key'] ?? '';
  if (!/^[A-Za-z0-9+/]{22}==$/.test(key))
    throw errors.malformedRequest('Sec-WebSocket-Key must be 16 bytes in Base64');
  refuseForeignPage(request);
  const { binary, base64Binary } = names.webSocketProtocols;
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const chosen = offered.find((name) => name === binary || name === base64Binary);
  return {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Accept': createHash('sha1').update(`${key}${GUID}`).digest('base64'),
      ...(chosen === undefined ? {} : { 'Sec-WebSocket-Protocol': chosen }),
    },
    form: chosen === undefined ? 'plain' : chosen === binary ? 'binary' : 'base64',
  };
}

/** Browsers add client certificates to requests of every page, and let the page read the messages of a WebSocket. */
export function refuseForeignPage({ headers: { origin, host }, clientCertificate }: ApiRequest): void {
  if (clientCertificate === undefined || origin === undefined) return;
  const page = URL.parse(origin);
  if (page === null || page.host !== host?.toLowerCase())
    throw errors.forbiddenPath('a page of another origin must not use a client certificate over WebSocket');
}
