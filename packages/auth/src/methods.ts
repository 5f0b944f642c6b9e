import type { Authenticator } from './types.ts';
import { unionAuthenticator } from './union.ts';

/**
 * The ways to say who one is. Who says it in several gets the first of them in this order: what comes with the
 * connection before what comes with the request, what is known here before what others are asked about.
 */
const order = [
  'requestHeader',
  'clientCertificate',
  'tokenFile',
  'bootstrapToken',
  'serviceAccount',
  'oidc',
  'tokenWebhook',
] as const;

/** One authenticator at most for each way; absent where a way is not open. */
export type AuthenticationMethods = Readonly<
  Partial<Record<(typeof order)[number], Authenticator | undefined>>
>;

/** The authenticator of all open ways. Its answer depends on the credentials, not on how the ways were put together. */
export const authenticatorOfMethods = (methods: AuthenticationMethods): Authenticator =>
  unionAuthenticator(order.flatMap((method) => methods[method] ?? []));
