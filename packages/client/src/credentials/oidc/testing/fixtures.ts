import { FakeClock } from '@orch/machinery/testing';
import type { Credentials } from '../../types.ts';
import type { OidcConfig, OidcContext } from '../config.ts';
import type { TokenServer } from './token-server.ts';

export const signal: AbortSignal = new AbortController().signal;
export const start = Date.UTC(2026, 10, 22);
export const HOUR_MS = 3_600_000;
export const tokenOf = async (credentials: Credentials): Promise<unknown> =>
  (await credentials.current(signal)).headers['authorization'];
export const bearer = (token: string): string => `Bearer ${token}`;

export const configOf = (server: TokenServer, changes: Partial<OidcConfig> = {}): OidcConfig => ({
  idpIssuerUrl: server.issuer,
  clientId: 'orch',
  clientSecret: 's3cret',
  refreshToken: 'refresh-s3cret',
  ca: server.ca,
  ...changes,
});
export const contextOf = (changes: Partial<OidcContext> = {}): OidcContext => ({
  env: { clock: new FakeClock(start) },
  ...changes,
});
