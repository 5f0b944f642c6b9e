import type { ApiObject, Names, Random } from '@orch/machinery';
import { readSigningKey, type SigningKey, signToken } from '@orch/pki/jws';
import type { Content } from '../options.ts';

/**
 * A token of an account that a secret holds: it has no end of its own, and is good for as long as both exist. No two are
 * equal, so that one which was revoked with its secret stays so when a secret of that name is made again.
 */
export function legacyToken(
  account: ApiObject,
  secretName: string,
  {
    key,
    names,
    random,
  }: { readonly key: SigningKey; readonly names: Names; readonly random: Pick<Random, 'uuid'> },
): string {
  const { tokenClaims, users } = names;
  const { namespace = '', name = '', uid = '' } = account.metadata;
  return signToken(
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

/** The key that a text holds now; read on every use, taken apart when it has changed. Rejects when there is none. */
export function signingKeyIn(content: Content): () => Promise<SigningKey> {
  let known: { readonly text: string; readonly key: SigningKey } | undefined;
  return async () => {
    const text = await content.read();
    if (known?.text !== text) {
      const key = readSigningKey(text);
      if (key === undefined) throw new Error(`${content.origin}: there is no private key in it`);
      known = { text, key };
    }
    return known.key;
  };
}
