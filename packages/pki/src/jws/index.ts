export { signDetached, signToken } from './sign.ts';
export {
  readSigningKey,
  readTokenKeys,
  type SigningKey,
  signingKey,
  type TokenKey,
  TokenKeyError,
} from './signing-key.ts';
export { isSignedWith } from './verify.ts';
