export { alwaysAllow, alwaysDeny, firstOpinion } from './authorizers.ts';
export { bearerToken } from './bearer.ts';
export { clientCertificateAuthenticator } from './client-certificate.ts';
export { type SubjectNames, subjectNames } from './subject.ts';
export { readTokenFile, TokenFileError, tokenFileAuthenticator } from './token-file.ts';
export type {
  Attributes,
  Authentication,
  Authenticator,
  Authorizer,
  Credentials,
  Decision,
  PathAttributes,
  ResourceAttributes,
  UserInfo,
} from './types.ts';
export { unionAuthenticator } from './union.ts';
