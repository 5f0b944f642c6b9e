import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Random } from '@orch/machinery';

/** Why a request is refused: the status and a text for people. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
}

const foreign: Refusal = { status: 403, text: 'The request comes from another page.' };
const unknown: Refusal = {
  status: 401,
  text: 'Open the address that orchctl console has printed. It can be used once: start the command again for another one.',
};

/** Length of the secrets in bytes. */
const SECRET_BYTES = 32;

/**
 * Who may use the page: the browser that opens the address with the token first. Browsers send cookies to every port of a host, so
 * that the cookie has the path of the page, which other local servers cannot guess.
 */
export class PageAccess {
  /** The first part of all paths, `/<random>/`. It is not a secret of the user, but hard to guess. */
  readonly path: string;
  readonly #cookie: string;
  #token: string | undefined;

  constructor(random: Random) {
    this.path = `/${random.bytes(16).toString('hex')}/`;
    this.#token = random.bytes(SECRET_BYTES).toString('base64url');
    this.#cookie = random.bytes(SECRET_BYTES).toString('base64url');
  }

  /** Path and query of the address to open. */
  get firstTarget(): string {
    return `${this.path}?token=${this.#token ?? ''}`;
  }

  /** The header that makes a browser the user of the page, if the token is right and was not used. */
  signIn(token: string): string | undefined {
    if (this.#token === undefined || !isEqual(token, this.#token)) return undefined;
    this.#token = undefined;
    return `console=${this.#cookie}; HttpOnly; SameSite=Strict; Path=${this.path}`;
  }

  /**
   * Why a request may not be answered; undefined for one that may, or that has a token to sign in with. `host`: name and port under
   * which the page is served.
   */
  refusal(request: IncomingMessage, host: string, hasToken = false): Refusal | undefined {
    const wrong = wrongHost(request, host);
    if (wrong !== undefined || hasToken) return wrong;
    return foreignRequest(request, host) ?? (this.#isSignedIn(request) ? undefined : unknown);
  }

  #isSignedIn({ headers }: IncomingMessage): boolean {
    return (headers.cookie ?? '').split(/;\s*/).some((pair) => {
      const [name = '', value = ''] = pair.split('=', 2);
      return name === 'console' && isEqual(value, this.#cookie);
    });
  }
}

/** Refuses names of other hosts that lead here (DNS rebinding). */
const wrongHost = ({ headers }: IncomingMessage, host: string): Refusal | undefined =>
  headers.host === host ? undefined : { status: 421, text: 'This address is not that of the console.' };

/**
 * Refuses requests of pages of other sites. Browsers add `Origin` to every
 * request that can change something, and `Sec-Fetch-Site` to all of them; programs that are no browser need the cookie only.
 */
function foreignRequest({ headers }: IncomingMessage, host: string): Refusal | undefined {
  if (headers.origin !== undefined && headers.origin !== `http://${host}`) return foreign;
  const site = headers['sec-fetch-site'];
  // `none`: the user typed the address or clicked it in a program.
  const isOwn = site === undefined || site === 'same-origin' || (site === 'none' && isNavigation(headers));
  return isOwn ? undefined : foreign;
}

const isNavigation = (headers: IncomingMessage['headers']): boolean =>
  headers['sec-fetch-mode'] === 'navigate';

/** Compares without a hint, by the time it takes, of how much is right. */
const isEqual = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
