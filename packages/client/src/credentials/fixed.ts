import type { Credentials, Identity } from './types.ts';

/** Constant credentials, without an alternative after a rejection. */
export const fixedCredentials = (identity: Identity): Credentials => ({
  current: async () => identity,
  rejected: () => false,
  onTlsChange: () => () => undefined,
});

/** Anonymous access. */
export const noCredentials = (): Credentials => fixedCredentials({ headers: {} });

/** Credentials with a bearer token that does not change. */
export const tokenCredentials = (token: string): Credentials => fixedCredentials(bearer(token));

export const bearer = (token: string): Identity => ({ headers: { authorization: `Bearer ${token}` } });

/** User name and password. The name must not contain a colon (RFC 7617 section 2). */
export function basicCredentials(username: string, password: string): Credentials {
  const pair = Buffer.from(`${username}:${password}`).toString('base64');
  return fixedCredentials({ headers: { authorization: `Basic ${pair}` } });
}

/** Reports whether a string is valid after `Bearer`. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
