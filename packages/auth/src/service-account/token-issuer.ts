import type { Clock, Names, Random } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { tokenCredentialId } from '../credential-ids.ts';
import {
  type AccountIdentity,
  accountUserName,
  type ObjectIdentity,
  type PodNode,
} from './account-claims.ts';

/** A request for a token. */
export interface RequestedToken {
  readonly account: AccountIdentity;
  /** At least one. */
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** A node, or an object of the account's namespace; the token is revoked with it. */
  readonly boundTo?: { readonly kind: 'pod' | 'secret' | 'node' } & ObjectIdentity;
  /** The node of the pod that the token is bound to. */
  readonly podNode?: PodNode;
}

export interface IssuedToken {
  readonly token: string;
  /** The requested lifetime, limited by the server. */
  readonly expirationSeconds: number;
  /**
   * The time by which the client must have replaced the token, in epoch milliseconds; the token itself may be valid for
   * longer.
   */
  readonly expiresAt: number;
  /** The credential id of users with the token; undefined when the token has no id. */
  readonly credentialId: string | undefined;
}

/** Issues tokens of service accounts. */
export interface TokenIssuer {
  /** Default audiences: those of this server. */
  readonly audiences: readonly string[];
  issue(requested: RequestedToken): Promise<IssuedToken>;
}

export interface TokenIssuerOptions {
  readonly names: Names;
  readonly clock: Pick<Clock, 'now'>;
  /** Signs the claims of a token. Rejects with an `ApiError` when that is not possible now. */
  readonly sign: (claims: JsonObject) => Promise<string>;
  readonly issuer: string;
  readonly audiences: readonly string[];
  /** Maximum lifetime of a token in seconds; 0 for no limit. */
  readonly maxSeconds: number;
  /** Whether the default tokens of pods are valid for a year, for clients that do not replace them. */
  readonly extend: boolean;
  /** The source of the ids of tokens; tokens have none without it. */
  readonly ids?: Pick<Random, 'uuid'> | undefined;
}

/** The lifetime that identifies the default token of a pod: its client may not renew tokens, so that it is extended. */
const EXTENDED_WHEN_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 60 * 60;

export function tokenIssuer(options: TokenIssuerOptions): TokenIssuer {
  const { clock, audiences } = options;
  return {
    audiences,
    async issue(requested) {
      const now = Math.floor(clock.now() / 1000);
      const lifetime = lifetimeOf(requested, options);
      const id = options.ids?.uuid();
      const token = await options.sign(claimsOf(requested, { ...options, now, lifetime, id }));
      return {
        token,
        expirationSeconds: lifetime.reported,
        expiresAt: (now + lifetime.reported) * 1000,
        credentialId: id === undefined ? undefined : tokenCredentialId(id),
      };
    },
  };
}

/** Lifetimes in seconds: the one that the client sees, and the one in the token. */
interface Lifetime {
  readonly reported: number;
  readonly actual: number;
}

function lifetimeOf(
  requested: RequestedToken,
  { maxSeconds, extend, audiences }: TokenIssuerOptions,
): Lifetime {
  const limited = (seconds: number): number => (maxSeconds === 0 ? seconds : Math.min(seconds, maxSeconds));
  const reported = limited(requested.expirationSeconds);
  const isExtended =
    extend &&
    requested.boundTo?.kind === 'pod' &&
    reported === EXTENDED_WHEN_SECONDS &&
    requested.audiences.every((audience) => audiences.includes(audience));
  return { reported, actual: isExtended ? limited(EXTENDED_SECONDS) : reported };
}

interface ClaimOptions extends TokenIssuerOptions {
  /** Seconds since the epoch. */
  readonly now: number;
  readonly lifetime: Lifetime;
  readonly id: string | undefined;
}

const identityClaim = ({ name, uid }: PodNode): JsonObject => ({
  name,
  ...(uid === undefined ? {} : { uid }),
});

function claimsOf(
  { account, audiences, boundTo, podNode }: RequestedToken,
  { names, issuer, now, lifetime, id }: ClaimOptions,
): JsonObject {
  const { namespace, name, uid } = account;
  return {
    aud: [...audiences],
    exp: now + lifetime.actual,
    iat: now,
    iss: issuer,
    ...(id === undefined ? {} : { jti: id }),
    [names.tokenClaims.private]: {
      namespace,
      ...(podNode === undefined ? {} : { node: identityClaim(podNode) }),
      ...(boundTo === undefined ? {} : { [boundTo.kind]: identityClaim(boundTo) }),
      serviceaccount: { name, uid },
      ...(lifetime.actual > lifetime.reported ? { warnafter: now + lifetime.reported } : {}),
    },
    nbf: now,
    sub: accountUserName(account, names),
  };
}
