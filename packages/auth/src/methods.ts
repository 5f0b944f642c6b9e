import type { Authenticator } from './types.ts';
import { unionAuthenticator } from './union.ts';

/**
 * Authentication methods. The first one that a request has credentials for decides, in this order: those of the
 * connection before those of the request, and local ones before those that ask other services.
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
