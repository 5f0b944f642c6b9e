import { isIPv6 } from 'node:net';
import { encodeYaml, type Names, type Random } from '@orch/machinery';
import { messageOf, StartError } from '../failure.ts';
import { writePrivateFile } from './files.ts';
import type { Certificates } from './serving.ts';

/** The URL of an API server: `https://127.0.0.1:6443`. */
export const serverUrl = (host: string, port: number): string =>
  `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;

/**
 * Writes the client configuration file of the administrator: one cluster, one user with an embedded certificate, one
 * context. Readable by its owner only.
 */
export function writeAdminConfig(
  path: string,
  url: string,
  certificates: Certificates,
  context: { readonly names: Names; readonly random: Random },
): void {
  const { product } = context.names;
  const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: product,
        cluster: { server: url, 'certificate-authority-data': base64(certificates.servingCa) },
      },
    ],
    users: [
      {
        name: 'admin',
        user: {
          'client-certificate-data': base64(certificates.admin.cert),
          'client-key-data': base64(certificates.admin.key),
        },
      },
    ],
    contexts: [{ name: `admin@${product}`, context: { cluster: product, user: 'admin' } }],
    'current-context': `admin@${product}`,
    preferences: {},
  };
  try {
    writePrivateFile(path, String(encodeYaml(config)), context.random);
  } catch (error) {
    throw new StartError(`--admin-config ${path}: ${messageOf(error)}`);
  }
}
