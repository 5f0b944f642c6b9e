import type { JsonObject } from '@orch/machinery/json';
import type { OidcClient } from './config.ts';
import { fetchOverTls } from './fetch-over-tls.ts';
import { jsonOf, own, textOf } from './json.ts';
import { providerError } from './provider-error.ts';

type ClientAuthentication = 'basic' | 'body';

/** The discovery document of a provider (OpenID Connect Discovery, 3). All endpoints have https URLs. */
export interface OidcProvider {
  readonly tokenEndpoint: URL;
  /** Endpoint at which users log in with a browser. */
  readonly authorizationEndpoint: URL | undefined;
  /** Endpoint at which a login on another device starts (RFC 8628, 3.1). */
  readonly deviceEndpoint: URL | undefined;
  /** Endpoint at which tokens are revoked (RFC 7009). */
  readonly revocationEndpoint: URL | undefined;
  /** Whether redirections name the issuer (RFC 9207). */
  readonly sendsIssuer: boolean;
  /** Supported client authentication methods, in order of preference. */
  readonly authentications: readonly ClientAuthentication[];
}

/** The response to a form. */
export interface FormResponse {
  readonly status: number;
  /** Undefined when it is not a JSON object. */
  readonly body: JsonObject | undefined;
  /** The error code, if it is a known one: other strings may contain the request. */
  readonly code: string | undefined;
}

/** Reads the discovery document. Rejects with a CredentialError for one that is unusable, and with network errors. */
export async function discoverProvider(client: OidcClient, signal: AbortSignal): Promise<OidcProvider> {
  const { idpIssuerUrl: issuer, ca } = client;
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
  const endpoint = (name: string): URL | undefined => secureUrl(textOf(document, `${name}_endpoint`) ?? '');
  const tokenEndpoint = endpoint('token');
  if (tokenEndpoint === undefined)
    throw providerError(issuer, 'discovery names no token endpoint with an https URL');
  return {
    tokenEndpoint,
    authorizationEndpoint: endpoint('authorization'),
    deviceEndpoint: endpoint('device_authorization'),
    revocationEndpoint: endpoint('revocation'),
    sendsIssuer: own(document, 'authorization_response_iss_parameter_supported') === true,
    authentications: authenticationsOf(document, client.clientSecret !== undefined),
  };
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

/** A form for an endpoint of a provider, which the client sends in its name. */
export interface ClientForm {
  readonly url: URL;
  readonly client: OidcClient;
  readonly provider: OidcProvider;
  readonly fields: Readonly<Record<string, string>>;
}

/** Sends a form with the authentication of the client, by another method where the provider does not take the first. */
export async function sendForm(form: ClientForm, signal: AbortSignal): Promise<FormResponse> {
  const { authentications } = form.provider;
  for (const [i, authentication] of authentications.entries()) {
    const response = await sendOnce(form, authentication, signal);
    // The provider has not used a token or code of an unauthenticated client, so that another method is safe.
    if (response.code === 'invalid_client' && i + 1 < authentications.length) continue;
    return response;
  }
  throw providerError(
    form.client.idpIssuerUrl,
    'it knows no way to say who the client is that this client knows',
  );
}

async function sendOnce(
  { url, client, fields }: ClientForm,
  authentication: ClientAuthentication,
  signal: AbortSignal,
): Promise<FormResponse> {
  const { clientId, clientSecret = '', ca } = client;
  const form = new URLSearchParams(fields);
  if (authentication === 'body') {
    form.set('client_id', clientId);
    if (clientSecret !== '') form.set('client_secret', clientSecret);
  }
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(authentication === 'basic' && { authorization: basic(clientId, clientSecret) }),
  };
  const { status, body: bytes } = await fetchOverTls(
    { url, ca, method: 'POST', headers, body: form.toString() },
    signal,
  );
  const body = jsonOf(bytes);
  return { status, body, code: status === 200 ? undefined : errorCodeOf(body) };
}

/** Both parts are form-encoded first (RFC 6749, 2.3.1), so that they may contain colons. */
function basic(id: string, secret: string): string {
  const encoded = [id, secret].map((part) => new URLSearchParams({ '': part }).toString().slice(1));
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}

/** Error codes of OAuth 2.0 (RFC 6749, 4.1.2.1 and 5.2; RFC 8628, 3.5); other strings may contain the request. */
const errorCodes = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  'invalid_scope',
  'access_denied',
  'server_error',
  'temporarily_unavailable',
  'login_required',
  'consent_required',
  'interaction_required',
  'authorization_pending',
  'slow_down',
  'expired_token',
];

export const knownErrorCode = (text: unknown): string | undefined => errorCodes.find((code) => code === text);

const errorCodeOf = (body: JsonObject | undefined): string | undefined =>
  body === undefined ? undefined : knownErrorCode(own(body, 'error'));

/** Secrets are sent over TLS only. */
function secureUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return undefined;
  return url;
}
