import type { Logger } from '@orch/machinery';
import { type Authority, AuthorityError, readAuthority } from '@orch/pki/x509';
import type { AuthorityContent } from '../options.ts';

/**
 * The authority that the files hold now. The files are read on every use and parsed when they have changed. While they
 * are unusable, such as when only one of the two has been replaced, the previous authority stays in use.
 */
export function authorityIn({ cert, key }: AuthorityContent, log: Logger): () => Promise<Authority> {
  let cached: { readonly texts: string; readonly authority: Authority } | undefined;
  const read = async (): Promise<Authority> => {
    const [certText, keyText] = await Promise.all([cert.read(), key.read()]);
    const texts = `${certText}\n${keyText}`;
    if (cached?.texts !== texts) cached = { texts, authority: readAuthority(certText, keyText) };
    return cached.authority;
  };
  return async () => {
    try {
      return await read();
    } catch (error) {
      const problem = error instanceof AuthorityError ? error.message : error;
      if (cached === undefined)
        throw new Error(`${cert.origin}, ${key.origin}: ${String(problem)}`, { cause: error });
      log.warn('cannot read the signing authority, keeping the previous one', {
        cert: cert.origin,
        key: key.origin,
        error: problem,
      });
      return cached.authority;
    }
  };
}
