import { isJsonObject, type JsonObject, parseJson } from '@orch/machinery';
import { CredentialError } from '../credential-error.ts';
import type { OidcConfig } from './config.ts';
import { fetchOverTls, type HttpResponse } from './fetch-over-tls.ts';

/** The response of a provider to a refresh. */
export interface NewTokens {
  readonly idToken: string | undefined;
  /** Absent when the used refresh token stays valid. */
  readonly refreshToken: string | undefined;
}

type ClientAuthentication = 'basic' | 'body';

interface TokenEndpoint {
  readonly url: URL;
  /** Supported client authentication methods, in order of preference. */
  readonly authentications: readonly ClientAuthentication[];
}

/** The message never contains a token or the client secret: of a response it contains known error codes only. */
export const providerError = (issuer: string, problem: string): CredentialError =>
  new CredentialError(`OIDC provider ${displayUrl(issuer)}: ${problem}`);

/** Exchanges a refresh token (OpenID Connect Core, 12), at the endpoint of the discovery document. */
export async function refreshTokens(
  config: OidcConfig,
  refreshToken: string,
  signal: AbortSignal,
): Promise<NewTokens> {
  const { idpIssuerUrl: issuer } = config;
  const endpoint = await discover(config, signal);
  for (const [i, authentication] of endpoint.authentications.entries()) {
    const response = await sendRefresh(endpoint.url, { config, refreshToken, authentication, signal });
    const body = jsonOf(response.body);
    if (response.status === 200) return tokensOf(body, issuer);
    const code = errorCodeOf(body);
    // The provider has not used the refresh token of an unauthenticated client, so that another method is safe.
    if (code === 'invalid_client' && i + 1 < endpoint.authentications.length) continue;
    throw providerError(issuer, refusalOf(response.status, code));
  }
  throw providerError(issuer, 'it knows no way to say who the client is that this client knows');
}

async function discover(config: OidcConfig, signal: AbortSignal): Promise<TokenEndpoint> {
  const { idpIssuerUrl: issuer, ca } = config;
  const base = issuer.replace(/\/+$/, '');
  const url = secureUrl(`${base}/.well-known/openid-configuration`);
  if (url === undefined || url.search !== '' || url.hash !== '')
    throw providerError(issuer, 'idp-issuer-url must be an https URL without user and query');
  const response = await fetchOverTls({ url, ca, method: 'GET', headers: {} }, signal);
  if (response.status !== 200)
    throw providerError(issuer, `discovery responded with status ${response.status}`);
  const document = jsonOf(response.body);
  if (document === undefined) throw providerError(issuer, 'the discovery document is not a JSON object');
  if (textOf(document, 'issuer')?.replace(/\/+$/, '') !== base)
    throw providerError(issuer, 'the discovery document is that of another issuer');
  const endpoint = secureUrl(textOf(document, 'token_endpoint') ?? '');
  if (endpoint === undefined)
    throw providerError(issuer, 'discovery names no token endpoint with an https URL');
  return { url: endpoint, authentications: authenticationsOf(document, config.clientSecret !== undefined) };
}

/** Without a secret the client id is sent alone. */
function authenticationsOf(document: JsonObject, hasSecret: boolean): readonly ClientAuthentication[] {
  const offered = own(document, 'token_endpoint_auth_methods_supported');
  if (!hasSecret) return ['body'];
  // Providers with one method may not list it, and those with both may allow one per client.
  if (!Array.isArray(offered)) return ['basic', 'body'];
  return [
    ...(offered.includes('client_secret_basic') ? (['basic'] as const) : []),
    ...(offered.includes('client_secret_post') ? (['body'] as const) : []),
  ];
}

function sendRefresh(
  url: URL,
  request: {
    readonly config: OidcConfig;
    readonly refreshToken: string;
    readonly authentication: ClientAuthentication;
    readonly signal: AbortSignal;
  },
): Promise<HttpResponse> {
  const { config, refreshToken, authentication, signal } = request;
  const { clientId, clientSecret = '', ca } = config;
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
  if (authentication === 'body') {
    form.set('client_id', clientId);
    if (clientSecret !== '') form.set('client_secret', clientSecret);
  }
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(authentication === 'basic' && { authorization: basic(clientId, clientSecret) }),
  };
  return fetchOverTls({ url, ca, method: 'POST', headers, body: form.toString() }, signal);
}

/** Both parts are form-encoded first (RFC 6749, 2.3.1), so that they may contain colons. */
function basic(id: string, secret: string): string {
  const encoded = [id, secret].map((part) => new URLSearchParams({ '': part }).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}

function tokensOf(body: JsonObject | undefined, issuer: string): NewTokens {
  if (body === undefined) throw providerError(issuer, 'the response to a refresh is not a JSON object');
  return { idToken: textOf(body, 'id_token'), refreshToken: textOf(body, 'refresh_token') };
}

/** Error codes of OAuth 2.0 (RFC 6749, 5.2); other texts may contain the request. */
const errorCodes = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
];

const errorCodeOf = (body: JsonObject | undefined): string | undefined =>
  errorCodes.find((code) => body !== undefined && own(body, 'error') === code);

function refusalOf(status: number, code: string | undefined): string {
  if (code === 'invalid_grant') return 'the refresh token is refused (invalid_grant): a new login is needed';
  if (code === 'invalid_client') return 'the client id or its secret is refused (invalid_client)';
  return `a refresh was rejected with status ${status}${code === undefined ? '' : ` (${code})`}`;
}

/** Secrets are sent over TLS only. */
function secureUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return undefined;
  return url;
}

/** Without parts that may contain a secret. */
function displayUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.host === '') return '(no URL)';
  return `${url.protocol}//${url.host}${url.pathname}`.replace(/\/$/, '');
}

function jsonOf(body: Uint8Array): JsonObject | undefined {
  try {
    const value = parseJson(body);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const own = (value: JsonObject, field: string): unknown =>
  Object.hasOwn(value, field) ? value[field] : undefined;

function textOf(value: JsonObject, field: string): string | undefined {
  const text = own(value, field);
  return typeof text === 'string' && text !== '' ? text : undefined;
}
