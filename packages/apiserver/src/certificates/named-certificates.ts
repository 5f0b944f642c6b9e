import { X509Certificate } from 'node:crypto';
import type { NamedTls } from '@orch/http';
import { readFlagFile, StartError } from '@orch/program';
import { keyPairProblem } from '../reload/key-pair-problem.ts';
import type { NamedCertificateFiles } from '../settings/serving-settings.ts';

const flag = 'tls-sni-cert-key';

/** The certificates that are selected by server name (SNI). Throws a `StartError` when a file cannot be used. */
export const namedCertificates = (files: readonly NamedCertificateFiles[]): readonly NamedTls[] =>
  files.map(({ certFile, keyFile, names }) => {
    const cert = readFlagFile(flag, certFile);
    const key = readFlagFile(flag, keyFile);
    const problem = keyPairProblem({ flag, path: certFile, text: cert }, { flag, path: keyFile, text: key });
    if (problem !== undefined) throw new StartError(problem);
    return { cert, key, names: names.length > 0 ? names : namesIn(new X509Certificate(cert)) };
  });

/** The DNS names of a certificate; its common name without any. */
function namesIn({ subjectAltName = '', subject = '' }: X509Certificate): readonly string[] {
  const names = subjectAltName.split(', ').flatMap((entry) => /^DNS:(.+)$/.exec(entry)?.[1] ?? []);
  const [, common] = /^CN=(.+)$/m.exec(subject) ?? [];
  return (names.length > 0 || common === undefined ? names : [common]).map((name) => name.toLowerCase());
}
