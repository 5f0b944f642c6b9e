import { isSignedWith, type TokenKey } from '@orch/pki/jws';
import type { CompactToken } from './compact-token.ts';

/** The source of keys that verify tokens. */
export interface TokenKeys {
  /** The key with this id, if it is loaded. */
  withId(id: string): TokenKey | undefined;
  /** Keys for tokens without a key id: few, since all of them are tried. */
  readonly unnamed: readonly TokenKey[];
  /** All keys that verify tokens, for publication. */
  all(): readonly TokenKey[];
  /** Loads keys that other servers have created since; absent where no other server can. Rejects when loading fails. */
  refresh?(signal: AbortSignal): Promise<void>;
}

/** A fixed set of keys. */
export function fixedKeys(keys: readonly TokenKey[]): TokenKeys {
  const byId = new Map(keys.map((key) => [key.id, key]));
  return { withId: (id) => byId.get(id), unnamed: [...byId.values()], all: () => [...byId.values()] };
}

/** A set of keys that is replaced as a whole. */
export function replaceableKeys(current: () => readonly TokenKey[]): TokenKeys {
  let [source, fixed] = [current(), fixedKeys(current())];
  const latest = (): TokenKeys => {
    if (current() !== source) [source, fixed] = [current(), fixedKeys(current())];
    return fixed;
  };
  return {
    withId: (id) => latest().withId(id),
    get unnamed() {
      return latest().unnamed;
    },
    all: () => latest().all(),
  };
}

/** - `unknownKey`: no loaded key has the id in the header; another server may have created one since. */
export type SignatureCheck = 'valid' | 'invalid' | 'unknownKey';

/**
 * Verifies a signature with the keys that the header selects by id. The keys determine the algorithms; keys and addresses
 * of keys in the header are ignored; headers with extensions (`crit`, `b64`) are refused.
 */
export async function checkSignature(
  { header, text }: CompactToken,
  keys: TokenKeys,
): Promise<SignatureCheck> {
  const { kid, crit, b64 } = header;
  if (crit !== undefined || b64 !== undefined) return 'invalid';
  if (kid !== undefined && typeof kid !== 'string') return 'invalid';
  const candidates = candidatesOf(kid, keys);
  if (candidates === undefined) return 'unknownKey';
  for (const key of candidates) if (await isSignedWith(text, key)) return 'valid';
  return 'invalid';
}

function candidatesOf(kid: string | undefined, keys: TokenKeys): readonly TokenKey[] | undefined {
  if (kid === undefined || kid === '') return keys.unnamed;
  const named = keys.withId(kid);
  return named === undefined ? undefined : [named];
}
