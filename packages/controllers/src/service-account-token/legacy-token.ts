import type { kinds } from '@orch/client';
import type { Names, Random } from '@orch/machinery';
import { readSigningKey, type SigningKey, type signToken } from '@orch/pki/jws';
import type { Content } from '../options.ts';

/** Signs the claims of a token with a key. */
export type SignToken = typeof signToken;

interface TokenSigner {
  readonly key: SigningKey;
  readonly names: Names;
  readonly random: Pick<Random, 'uuid'>;
  readonly sign: SignToken;
}

/**
 * A token of an account for a secret. It does not expire, and is valid while account and secret exist. A unique id
 * ensures that a token which was revoked by deleting its secret stays invalid when a secret of that name is created again.
 */
export function legacyToken(
  account: kinds.core.ServiceAccount,
  secretName: string,
  { key, names, random, sign }: TokenSigner,
): Promise<string> {
  const { tokenClaims, users } = names;
  const { namespace = '', name = '', uid = '' } = account.metadata;
  return sign(
    {
      iss: tokenClaims.legacyIssuer,
      [tokenClaims.legacyNamespace]: namespace,
      [tokenClaims.legacySecretName]: secretName,
      [tokenClaims.legacyAccountName]: name,
      [tokenClaims.legacyAccountUid]: uid,
      jti: random.uuid(),
      sub: `${users.serviceAccountPrefix}${namespace}:${name}`,
    },
    key,
  );
}

/** The current private key of a string, which is read on every use and parsed after a change. Rejects without a key. */
export function signingKeyIn(content: Content): () => Promise<SigningKey> {
  let cached: { readonly text: string; readonly key: SigningKey } | undefined;
  return async () => {
    const text = await content.read();
    if (cached?.text !== text) {
      const key = readSigningKey(text);
      if (key === undefined) throw new Error(`${content.origin}: it contains no private key`);
      cached = { text, key };
    }
    return cached.key;
  };
}
