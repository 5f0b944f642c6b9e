import type { Clock } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import { own, textOf } from '../json.ts';
import { sendForm } from '../provider.ts';
import { providerError } from '../provider-error.ts';
import { type LoginContext, type LoginTokens, loginRefusal, loginTokens } from './login-tokens.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const DEFAULT_INTERVAL_S = 5;
const MAX_INTERVAL_S = 60;
/** Added when the provider requests slower polls (RFC 8628, 3.5). */
const SLOW_DOWN_MS = 5_000;
const MAX_LIFETIME_S = 3600;

/** A login on another device that has begun. */
export interface DeviceLogin {
  /** The code that users type at `url`. */
  readonly userCode: string;
  readonly url: URL;
  /** With the code in it, if the provider offers that. */
  readonly completeUrl: URL | undefined;
  /** Secret. */
  readonly deviceCode: string;
  readonly intervalMs: number;
  readonly lifetimeMs: number;
}

/** Begins a login with a device code (RFC 8628). Rejects with a CredentialError, and with network errors. */
export async function startDeviceLogin(
  { client, provider, scope }: LoginContext,
  signal: AbortSignal,
): Promise<DeviceLogin> {
  const { idpIssuerUrl: issuer } = client;
  const url = provider.deviceEndpoint;
  if (url === undefined)
    throw providerError(issuer, 'it offers no login by device code: use --method=browser');
  const { status, body, code } = await sendForm({ url, client, provider, fields: { scope } }, signal);
  if (status !== 200) throw providerError(issuer, loginRefusal(status, code));
  const [deviceCode, userCode] = body ? [textOf(body, 'device_code'), textOf(body, 'user_code')] : [];
  const page = body && pageUrl(textOf(body, 'verification_uri'));
  // The strings are shown on a terminal, which control characters would change.
  if (body === undefined || deviceCode === undefined || !page || !/^[\x21-\x7e]{1,100}$/.test(userCode ?? ''))
    throw providerError(issuer, 'its response to the start of a login is not usable');
  return {
    deviceCode,
    userCode: userCode ?? '',
    url: page,
    completeUrl: pageUrl(textOf(body, 'verification_uri_complete')),
    intervalMs: secondsOf(own(body, 'interval'), DEFAULT_INTERVAL_S, MAX_INTERVAL_S) * 1000,
    lifetimeMs: secondsOf(own(body, 'expires_in'), MAX_LIFETIME_S, MAX_LIFETIME_S) * 1000,
  };
}

/** Waits until the user has logged in. Rejects with a CredentialError when the login is denied or its code has expired. */
export async function waitForDevice(
  { client, provider, clock }: LoginContext & { readonly clock: Clock },
  { deviceCode, intervalMs, lifetimeMs }: DeviceLogin,
  signal: AbortSignal,
): Promise<LoginTokens> {
  const deadline = clock.monotonic() + lifetimeMs;
  const fields = { grant_type: GRANT, device_code: deviceCode };
  for (let pauseMs = intervalMs; ; ) {
    await sleep(clock, pauseMs, signal);
    const response = await sendForm({ url: provider.tokenEndpoint, client, provider, fields }, signal);
    if (response.code === 'slow_down') pauseMs += SLOW_DOWN_MS;
    else if (response.code !== 'authorization_pending')
      return loginTokens(response, { client, nonce: undefined });
    if (clock.monotonic() >= deadline)
      throw providerError(client.idpIssuerUrl, loginRefusal(400, 'expired_token'));
  }
}

function pageUrl(text: string | undefined): URL | undefined {
  const url = URL.parse(text ?? '');
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
    ? url
    : undefined;
}

const secondsOf = (value: unknown, fallback: number, most: number): number =>
  typeof value === 'number' && value > 0 ? Math.min(value, most) : fallback;
