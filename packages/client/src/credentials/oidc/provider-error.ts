import { CredentialError, type CredentialProblem } from '../credential-error.ts';

/** The message never contains a token or the client secret: of a response it contains known error codes only. */
export const providerError = (issuer: string, problem: string, kind?: CredentialProblem): CredentialError =>
  new CredentialError(`OIDC provider ${displayUrl(issuer)}: ${problem}`, kind === undefined ? {} : { kind });

/** Without parts that may contain a secret. */
function displayUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.host === '') return '(no URL)';
  return `${url.protocol}//${url.host}${url.pathname}`.replace(/\/$/, '');
}
