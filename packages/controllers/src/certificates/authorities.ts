import type { Logger } from '@orch/machinery';
import { type Authority, AuthorityError, readAuthority } from '@orch/pki/x509';
import type { AuthorityContent } from '../options.ts';

/**
 * The authority that files hold now. They are read on every use and taken apart when they have changed; while they cannot
 * be used, such as between the writing of the one and of the other, the authority from before signs.
 */
export function authorityIn({ cert, key }: AuthorityContent, log: Logger): () => Promise<Authority> {
  let known: { readonly texts: string; readonly authority: Authority } | undefined;
  const read = async (): Promise<Authority> => {
    const [certText, keyText] = await Promise.all([cert.read(), key.read()]);
    const texts = `${certText}\n${keyText}`;
    if (known?.texts !== texts) known = { texts, authority: readAuthority(certText, keyText) };
    return known.authority;
  };
  return async () => {
    try {
      return await read();
    } catch (error) {
      const problem = error instanceof AuthorityError ? error.message : error;
      if (known === undefined)
        throw new Error(`${cert.origin}, ${key.origin}: ${String(problem)}`, { cause: error });
      log.warn('the signing authority cannot be read: the one before signs', {
        cert: cert.origin,
        key: key.origin,
        error: problem,
      });
      return known.authority;
    }
  };
}
