import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Names } from '@orch/machinery';
import { systemRandom } from '@orch/machinery/env';
import { issueCertificate } from '@orch/pki/x509';
import { type ClientConfig, readClientConfig } from '@orch/testkit';
import { auditPolicy } from './audit-log.ts';

const DAY_MS = 86_400_000;

/** The folder with all files of the programs of a cluster. */
export interface ClusterFiles {
  readonly certDir: string;
  readonly auditDir: string;
  readonly auditPolicy: string;
  /** The authority that signs certificates of clients. */
  readonly authorityCert: string;
  readonly authorityKey: string;
  /** Written by a server at its start. */
  readonly adminConfig: string;
  /** The key with which all servers and managers sign tokens. */
  readonly tokenKey: string;
  readonly tokenPublicKey: string;
  /** A client configuration of the administrator, for a server on a loopback port; returns its path. */
  clientConfig(name: string, port: number): string;
  admin(): ClientConfig;
}

export function clusterFiles(folder: string, names: Names): ClusterFiles {
  const path = (name: string): string => join(folder, name);
  const write = (name: string, text: string): string => {
    writeFileSync(path(name), text);
    return path(name);
  };
  for (const name of ['certs', 'audit']) mkdirSync(path(name));
  const authority = issueCertificate(
    {
      commonName: 'signers',
      use: 'authority',
      notBefore: Date.now() - DAY_MS,
      notAfter: Date.now() + 365 * DAY_MS,
    },
    systemRandom,
  );
  const token = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const adminConfig = path('admin.conf');
  return {
    certDir: path('certs'),
    auditDir: path('audit'),
    auditPolicy: write('audit-policy.yaml', auditPolicy(names)),
    authorityCert: write('authority.crt', authority.cert),
    authorityKey: write('authority.key', authority.key),
    adminConfig,
    tokenKey: write('token.key', token.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    tokenPublicKey: write('token.pub', token.publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    admin: () => readClientConfig(adminConfig),
    clientConfig(name, port) {
      const text = readFileSync(adminConfig, 'utf8');
      return write(name, text.replace(/https:\/\/127\.0\.0\.1:\d+/, `https://127.0.0.1:${port}`));
    },
  };
}
