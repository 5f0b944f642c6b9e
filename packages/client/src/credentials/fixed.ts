import type { Credentials, Identity } from './types.ts';

/** Credentials that stay as they are: what the server refuses stays refused. */
export const fixedCredentials = (identity: Identity): Credentials => ({
  current: async () => identity,
  rejected: () => false,
  onTlsChange: () => () => undefined,
});

/** Of somebody who does not say who he is. */
export const noCredentials = (): Credentials => fixedCredentials({ headers: {} });

export const tokenCredentials = (token: string): Credentials => fixedCredentials(bearer(token));

export const bearer = (token: string): Identity => ({ headers: { authorization: `Bearer ${token}` } });

/** User name and password. The name must have no colon (RFC 7617 section 2). */
export function basicCredentials(username: string, password: string): Credentials {
  const pair = Buffer.from(`${username}:${password}`).toString('base64');
  return fixedCredentials({ headers: { authorization: `Basic ${pair}` } });
}

/** Whether a text can stand after `Bearer`: anything else would end the header, or be no token. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
