export { signDetached, signToken } from './sign.ts';
export {
  namedTokenKey,
  readSigningKey,
  readTokenKeys,
  type SigningKey,
  signingKey,
  type TokenKey,
  TokenKeyError,
} from './signing-key.ts';
export { isSignedWith } from './verify.ts';
