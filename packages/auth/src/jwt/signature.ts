import { type TokenKey, verifyBytes } from '@orch/pki/jws';
import type { CompactToken } from './compact-token.ts';

/** Where keys for tokens come from. */
export interface TokenKeys {
  /** The key with this id, if it is known. */
  withId(id: string): TokenKey | undefined;
  /** Keys for tokens that do not say which: few, since all of them are tried. */
  readonly unnamed: readonly TokenKey[];
  /** Everything that signatures are accepted of, for those who check them elsewhere. */
  all(): readonly TokenKey[];
  /** Looks for keys that others have made since; absent where nobody else can. Rejects when that cannot be found out. */
  refresh?(signal: AbortSignal): Promise<void>;
}

/** A fixed set of keys. */
export function fixedKeys(keys: readonly TokenKey[]): TokenKeys {
  const byId = new Map(keys.map((key) => [key.id, key]));
  return { withId: (id) => byId.get(id), unnamed: [...byId.values()], all: () => [...byId.values()] };
}

/** - `unknownKey`: another key may have been made meanwhile. */
export type SignatureCheck = 'good' | 'bad' | 'unknownKey';

/**
 * Checks a signature. The algorithm is one that the key is for, whatever the header says; what the header brings along
 * (keys, addresses of keys) is not looked at; extensions that have to be understood are not.
 */
export function checkSignature({ header, signed, signature }: CompactToken, keys: TokenKeys): SignatureCheck {
  const { alg, kid, crit, b64 } = header;
  if (typeof alg !== 'string' || crit !== undefined || b64 !== undefined) return 'bad';
  if (kid !== undefined && typeof kid !== 'string') return 'bad';
  const named = kid === undefined || kid === '' ? undefined : keys.withId(kid);
  if (kid !== undefined && kid !== '' && named === undefined) return 'unknownKey';
  const candidates = named === undefined ? keys.unnamed : [named];
  const isGood = candidates.some(
    (key) => key.algorithms.includes(alg) && verifyBytes(alg, key.publicKey, signed, signature),
  );
  return isGood ? 'good' : 'bad';
}
