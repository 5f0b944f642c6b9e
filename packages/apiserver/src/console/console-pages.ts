import { gunzipSync } from 'node:zlib';
import { dataPolicy, type PageFile, pageFields, pagePolicy } from '@orch/console/files';
import { errors, type Names } from '@orch/machinery';
import { asObject, asText, type JsonObject, parseJson } from '@orch/machinery/json';
import { acceptsGzip } from '@orch/program';
import { type ApiRequest, apiErrorOf, type BytesReply, statusReply } from '@orch/request';
import type { ConsoleLogin } from './console-login.ts';

/** The path of the page. */
export const CONSOLE_PATH = '/console/';

export interface ConsolePagesOptions {
  readonly files: readonly PageFile[];
  readonly names: Names;
  /** Logins at the provider of this moment; undefined without one. */
  readonly login: () => ConsoleLogin | undefined;
}

const MAX_BODY_BYTES = 64 * 1024;
/** Names of files below it contain a hash of their content. */
const HASHED = 'assets/';
const YEAR_S = 31_536_000;

/**
 * The files of the console, its facts and its logins, for everyone who can connect: none of them contains an object or a
 * credential. The page sends the token of its user with each request of the API.
 */
export class ConsolePages {
  readonly #options: ConsolePagesOptions;
  readonly #files: ReadonlyMap<string, { readonly type: string; readonly gzip: Buffer }>;

  constructor(options: ConsolePagesOptions) {
    this.#options = options;
    this.#files = new Map(
      options.files.map(({ path, type, gzip }) => [path, { type, gzip: Buffer.from(gzip, 'base64') }]),
    );
  }

  /** The reply to a request below `CONSOLE_PATH`. */
  async reply(request: ApiRequest): Promise<BytesReply> {
    try {
      return await this.#reply(request, request.rawPath.slice(CONSOLE_PATH.length));
    } catch (error) {
      // Refusals of the provider have texts without secrets.
      const { status } = isCredentialError(error)
        ? errors.plain(400, error.message)
        : apiErrorOf(error, request.id);
      const reply = statusReply(status, false);
      return { ...reply, headers: { ...reply.headers, ...dataFields } };
    }
  }

  async #reply(request: ApiRequest, path: string): Promise<BytesReply> {
    const { method } = request;
    if (path.startsWith('login/')) {
      if (method !== 'POST') throw errors.methodNotAllowed(method);
      return jsonReply(await this.#loginStep(request, path.slice('login/'.length)));
    }
    if (method !== 'GET' && method !== 'HEAD') throw errors.methodNotAllowed(method);
    if (path === 'session') return jsonReply(this.#facts());
    const name = path === '' ? 'index.html' : path;
    const file = this.#files.get(name);
    if (file === undefined) throw errors.resourceNotFound();
    const isPacked = acceptsGzip(request.headers['accept-encoding']);
    return {
      kind: 'bytes',
      status: 200,
      headers: {
        ...pageFields,
        ...(name.startsWith(HASHED) && { 'cache-control': `public, max-age=${YEAR_S}, immutable` }),
        'content-security-policy': pagePolicy,
        'Content-Type': file.type,
        Vary: 'Accept-Encoding',
        ...(isPacked && { 'Content-Encoding': 'gzip' }),
      },
      body: isPacked ? file.gzip : gunzipSync(file.gzip),
    };
  }

  #facts(): object {
    const { names, login } = this.#options;
    return { naming: names.naming, api: '..', provider: login()?.issuer ?? '' };
  }

  async #loginStep(request: ApiRequest, step: string): Promise<object> {
    const login = this.#options.login();
    if (login === undefined) throw errors.resourceNotFound();
    const redirectUrl = `${originOf(request)}${CONSOLE_PATH}`;
    const { signal } = request;
    const body = await bodyOf(request);
    const text = (name: string): string => asText(body[name]);
    if (step === 'begin') return login.begin(redirectUrl, signal);
    if (step === 'renew') return login.renew(text('refreshToken'), signal);
    if (step !== 'finish') throw errors.resourceNotFound();
    const secrets = { state: text('state'), nonce: text('nonce'), verifier: text('verifier') };
    if (Object.values(secrets).includes('')) throw errors.badRequest('a secret of the login is missing');
    return login.finish(redirectUrl, { ...secrets, query: text('query') }, signal);
  }
}

/**
 * The origin of the page that has sent a request. Browsers add it to every POST, and say of which site it is: logins of other pages are
 * refused. The provider leads users only to addresses that it knows.
 */
function originOf({ headers }: ApiRequest): string {
  const { origin, 'sec-fetch-site': site } = headers;
  const url = typeof origin === 'string' ? URL.parse(origin) : null;
  if (url?.protocol !== 'https:' || url.origin !== origin || (site !== undefined && site !== 'same-origin'))
    throw errors.forbiddenPath('the request comes from another page');
  return origin;
}

async function bodyOf(request: ApiRequest): Promise<JsonObject> {
  if (request.headers['content-type'] !== 'application/json')
    throw errors.unsupportedMediaType(request.headers['content-type'] ?? '', ['application/json']);
  const bytes = await request.body(MAX_BODY_BYTES);
  try {
    return asObject(parseJson(bytes));
  } catch {
    throw errors.badRequest('the body is not JSON');
  }
}

const isCredentialError = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'CredentialError';

const dataFields = { ...pageFields, 'content-security-policy': dataPolicy };

const jsonReply = (value: object): BytesReply => ({
  kind: 'bytes',
  status: 200,
  headers: { ...dataFields, 'Content-Type': 'application/json' },
  body: Buffer.from(JSON.stringify(value)),
});
