import type { Names } from '@orch/machinery';
import type { Authenticator } from './types.ts';
import { unionAuthenticator } from './union.ts';
import { webSocketTokenAuthenticator } from './web-socket-token.ts';

const connectionMethods = ['requestHeader', 'clientCertificate'] as const;

/** The methods that verify bearer tokens. */
const tokenMethods = ['tokenFile', 'bootstrapToken', 'serviceAccount', 'oidc', 'tokenWebhook'] as const;

/**
 * Authentication methods. The first method for which a request has credentials decides, in this order: credentials of
 * the connection before those of the request, and local methods before those that call external services.
 */
const order = [...connectionMethods, ...tokenMethods] as const;

/** One authenticator at most for each way; absent where a way is not open. */
export type AuthenticationMethods = Readonly<
  Partial<Record<(typeof order)[number], Authenticator | undefined>>
>;

/**
 * The authenticator of all open ways, and of tokens in WebSocket handshakes. Its answer depends on the credentials, not on
 * how the ways were put together.
 */
export function authenticatorOfMethods(methods: AuthenticationMethods, names: Names): Authenticator {
  const tokens = unionAuthenticator(tokenMethods.flatMap((method) => methods[method] ?? []));
  return unionAuthenticator([
    ...order.flatMap((method) => methods[method] ?? []),
    webSocketTokenAuthenticator(tokens, names),
  ]);
}
