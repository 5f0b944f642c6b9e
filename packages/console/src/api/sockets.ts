import type { Names } from '@orch/machinery';

/** The API as a page reaches it. */
export interface SocketAddress {
  /** The address of the API. */
  readonly api: URL;
  readonly names: Names;
  /** The token of the user; undefined where the program that serves the page has the credentials. */
  readonly token: () => string | undefined;
}

/** Opens the WebSocket of a command in a container. Scripts cannot set `Authorization` there: the token is a subprotocol. */
export function openCommandSocket({ api, names, token }: SocketAddress, target: string): WebSocket {
  const { channelV4, channelV5, bearerPrefix } = names.webSocketProtocols;
  const value = token();
  const socket = new WebSocket(webSocketUrl(api, target), [
    channelV5,
    channelV4,
    ...(value === undefined ? [] : [bearerPrefix + base64Url(value)]),
  ]);
  socket.binaryType = 'arraybuffer';
  return socket;
}

function webSocketUrl(api: URL, target: string): URL {
  const url = new URL(api.href.replace(/\/$/, '') + target);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

/** Tokens are printable ASCII. */
const base64Url = (token: string): string =>
  btoa(token).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
