import { isIPv6 } from 'node:net';
import type { Clock, Names, Random } from '@orch/machinery';
import { type KeyPair, privateKeyPem } from '@orch/pki/x509';
import { StartError, writeProblem } from '@orch/program';
import { clientConfigText } from './client-config-text.ts';
import { writePrivateFile } from './files.ts';
import { freshLeaf } from './keep.ts';
import type { Certificates } from './serving.ts';

/** The URL of an API server: `https://127.0.0.1:6443`. */
export const serverUrl = (host: string, port: number): string =>
  `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;

interface Context {
  readonly names: Names;
  readonly random: Random;
}

/**
 * Writes the client configuration file of the administrator: one cluster, one user with an embedded certificate, one
 * context. Readable by its owner only.
 */
export const writeAdminConfig = (
  path: string,
  url: string,
  certificates: Certificates,
  context: Context,
): void =>
  writeClientConfig(
    { flag: 'admin-config', path, user: 'admin', identity: certificates.admin },
    { url, servingCa: certificates.servingCa },
    context,
  );

/** Writes a client configuration file for controller managers, with their own client certificate. */
export const writeControllerConfig = (
  path: string,
  url: string,
  certificates: Certificates,
  { clock, ...context }: Context & { readonly clock: Clock },
): void =>
  writeClientConfig(
    {
      flag: 'controller-manager-config',
      path,
      user: context.names.programs.controllerManager,
      identity: freshLeaf({ clock, random: context.random }, certificates.clientAuthority, {
        commonName: context.names.users.controllerManager,
        use: 'client',
      }),
    },
    { url, servingCa: certificates.servingCa },
    context,
  );

function writeClientConfig(
  client: { readonly flag: string; readonly path: string; readonly user: string; readonly identity: KeyPair },
  server: { readonly url: string; readonly servingCa: string },
  { names: { product }, random }: Context,
): void {
  const { flag, path, user, identity } = client;
  const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
  const config = clientConfigText({
    cluster: product,
    user,
    connection: { server: server.url, 'certificate-authority-data': base64(server.servingCa) },
    credentials: {
      'client-certificate-data': base64(identity.cert),
      'client-key-data': base64(privateKeyPem(identity.key)),
    },
  });
  try {
    writePrivateFile(path, config, random);
  } catch (error) {
    throw new StartError(`--${flag} ${path}: ${writeProblem(path, error)}`);
  }
}
