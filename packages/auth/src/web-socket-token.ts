import type { Names } from '@orch/machinery';
import { whenFulfilled } from '@orch/machinery/concurrency';
import type { Authentication, Authenticator, Credentials } from './types.ts';

const none: Authentication = { kind: 'none' };
const rejected = (reason: string): Authentication => ({ kind: 'rejected', reason });

const severalTokens = rejected('a WebSocket offers more than one bearer token');
const unreadableToken = rejected('the bearer token of a WebSocket is not UTF-8 in base64url');
const unknownToken = rejected('no authenticator accepts the bearer token of a WebSocket');
const noOtherProtocol = rejected('a WebSocket must offer a protocol besides its bearer token');

/**
 * Authenticates bearer tokens of WebSocket handshakes, which browsers send as a sub-protocol
 * (`base64url.bearer.authorization.k8s.io.<token>`), because scripts cannot set Authorization there. `tokens` verifies them.
 * The client must offer another sub-protocol too: the server never chooses, and so never repeats, a token.
 */
export function webSocketTokenAuthenticator(tokens: Authenticator, names: Names): Authenticator {
  const { bearerPrefix } = names.webSocketProtocols;
  return {
    authenticate(credentials) {
      const offered = offeredProtocols(credentials);
      if (offered === undefined) return none;
      const [presented, ...further] = offered.filter((name) => name.startsWith(bearerPrefix));
      if (presented === undefined) return none;
      if (further.length > 0) return severalTokens;
      if (offered.length === 1) return noOtherProtocol;
      const token = tokenOf(presented.slice(bearerPrefix.length));
      if (token === undefined) return unreadableToken;
      return whenFulfilled(tokens.authenticate(withBearer(credentials, token)), rejectedUnlessKnown);
    },
  };
}

/** A token that no method recognizes is a wrong credential, not a missing one: its client is not anonymous. */
const rejectedUnlessKnown = (outcome: Authentication): Authentication =>
  outcome.kind === 'none' ? unknownToken : outcome;

/** The sub-protocols that a WebSocket handshake offers; undefined for other requests. */
function offeredProtocols({ headers }: Credentials): readonly string[] | undefined {
  const protocols = headers['sec-websocket-protocol'];
  if (protocols === undefined || headers.upgrade?.toLowerCase() !== 'websocket') return undefined;
  return protocols
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The token; undefined unless `encoded` is base64url without padding of printable UTF-8. */
function tokenOf(encoded: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) return undefined;
  const bytes = Buffer.from(encoded, 'base64url');
  const token = bytes.toString();
  return Buffer.from(token).equals(bytes) ? token : undefined;
}

/** The credentials of a request that presents the token in Authorization, and nothing else. */
const withBearer = ({ rawPath, connection, signal, audiences }: Credentials, token: string): Credentials => ({
  headers: { authorization: `Bearer ${token}` },
  clientCertificate: undefined,
  ...(rawPath !== undefined && { rawPath }),
  ...(audiences !== undefined && { audiences }),
  connection,
  signal,
});
