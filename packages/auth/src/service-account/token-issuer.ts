import type { Clock, JsonObject, Names } from '@orch/machinery';
import { type SigningKey, signToken } from '@orch/pki/jws';
import { type AccountIdentity, accountUserName, type ObjectIdentity } from './account-claims.ts';

/** What somebody wants of a token. */
export interface WantedToken {
  readonly account: AccountIdentity;
  /** At least one. */
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** The token ends with this object of the account's namespace. */
  readonly boundTo?: { readonly kind: 'pod' | 'secret' } & ObjectIdentity;
}

export interface IssuedToken {
  readonly token: string;
  /** What came of the wish. */
  readonly expirationSeconds: number;
  /** When the token is to be replaced at the latest, in epoch milliseconds; it may be good for longer. */
  readonly expiresAt: number;
}

/** Makes tokens of service accounts. */
export interface TokenIssuer {
  /** Audiences of tokens that are asked for without: names of this server. */
  readonly audiences: readonly string[];
  issue(wanted: WantedToken): IssuedToken;
}

export interface TokenIssuerOptions {
  readonly names: Names;
  readonly clock: Pick<Clock, 'now'>;
  readonly key: SigningKey;
  readonly issuer: string;
  readonly audiences: readonly string[];
  /** Longest life of a token in seconds; 0 for no limit. */
  readonly maxSeconds: number;
  /** Whether tokens of pods for this server live on when they should have been replaced. */
  readonly extend: boolean;
}

/** What pods get by themselves asks for this: such clients may not know yet that tokens have to be replaced. */
const EXTENDED_WHEN_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 60 * 60;

export function tokenIssuer(options: TokenIssuerOptions): TokenIssuer {
  const { clock, key, audiences } = options;
  return {
    audiences,
    issue(wanted) {
      const now = Math.floor(clock.now() / 1000);
      const life = lifeOf(wanted, options);
      const token = signToken(claimsOf(wanted, { ...options, now, life }), key);
      return { token, expirationSeconds: life.asked, expiresAt: (now + life.asked) * 1000 };
    },
  };
}

/** Seconds: what is told to the client, and what the token is good for. */
interface Life {
  readonly asked: number;
  readonly real: number;
}

function lifeOf(wanted: WantedToken, { maxSeconds, extend, audiences }: TokenIssuerOptions): Life {
  const limited = (seconds: number): number => (maxSeconds === 0 ? seconds : Math.min(seconds, maxSeconds));
  const asked = limited(wanted.expirationSeconds);
  const isExtended =
    extend &&
    wanted.boundTo?.kind === 'pod' &&
    asked === EXTENDED_WHEN_SECONDS &&
    wanted.audiences.every((audience) => audiences.includes(audience));
  return { asked, real: isExtended ? limited(EXTENDED_SECONDS) : asked };
}

function claimsOf(
  { account, audiences, boundTo }: WantedToken,
  { names, issuer, now, life }: TokenIssuerOptions & { readonly now: number; readonly life: Life },
): JsonObject {
  const { namespace, name, uid } = account;
  return {
    aud: [...audiences],
    exp: now + life.real,
    iat: now,
    iss: issuer,
    [names.tokenClaims.private]: {
      namespace,
      ...(boundTo === undefined ? {} : { [boundTo.kind]: { name: boundTo.name, uid: boundTo.uid } }),
      serviceaccount: { name, uid },
      ...(life.real > life.asked ? { warnafter: now + life.asked } : {}),
    },
    nbf: now,
    sub: accountUserName(account, names),
  };
}
