import { compactVerify, errors } from 'jose';
import type { TokenKey } from './signing-key.ts';

/**
 * Reports whether a JWS in compact form was signed with a key. The key determines which algorithms are accepted, not the header
 * of the token; keys and addresses of keys in the header are ignored.
 */
export async function isSignedWith(token: string, { publicKey, algorithms }: TokenKey): Promise<boolean> {
  try {
    await compactVerify(token, publicKey, { algorithms: [...algorithms] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}
