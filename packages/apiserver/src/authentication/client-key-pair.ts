import { StartError } from '@orch/program';
import { type FileText, keyPairProblem } from '../reload/key-pair-problem.ts';
import type { FileFlag } from '../reload/reloaded-files.ts';

/** A client certificate and its key in PEM. */
export interface ClientKeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Throws a `StartError` when only one of the flags is given. */
export function checkGivenTogether(certificate: FileFlag, privateKey: FileFlag): void {
  if ((certificate.path === '') !== (privateKey.path === ''))
    throw new StartError(`--${certificate.flag} and --${privateKey.flag} must be given together`);
}

/** The content of both files. Throws a `StartError` with the flag at fault when TLS cannot use them. */
export function clientKeyPair(cert: FileText, key: FileText): ClientKeyPair {
  const problem = keyPairProblem(cert, key);
  if (problem !== undefined) throw new StartError(problem);
  return { cert: cert.text, key: key.text };
}
