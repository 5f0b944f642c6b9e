import { createHash } from 'node:crypto';
import type { UserInfo } from './types.ts';

/** The id of a token as a credential id. */
export const tokenCredentialId = (tokenId: string): string => `JTI=${tokenId}`;

/** The digest of a certificate (DER) as a credential id. */
const certificateCredentialId = (der: Buffer): string =>
  `X509SHA256=${createHash('sha256').update(der).digest('hex')}`;

/** The extra values of the user of a certificate (DER); none without a key. */
export const certificateExtra = (der: Buffer, key: string | undefined): UserInfo['extra'] =>
  key === undefined ? {} : { [key]: [certificateCredentialId(der)] };

/** The extra values of the user of an ID token; none without a key, and without an id that is a string. */
export const idTokenExtra = (id: unknown, key: string | undefined): UserInfo['extra'] =>
  key === undefined || typeof id !== 'string' || id === '' ? {} : { [key]: [tokenCredentialId(id)] };
