import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { testCertificate } from '@orch/pki/x509/testing';
import { temporaryFolder } from '@orch/testkit';
import { type BuiltProgram, runBuilt } from './programs.ts';

/** The authority that clients trust. */
export const authority = testCertificate({ commonName: 'authority', use: 'authority' });
export const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** The settings of a cluster that trust the authority. */
export const trusting = { 'certificate-authority-data': base64(authority.cert) };

/** A part of a client configuration. */
export type Settings = Readonly<Record<string, unknown>>;

/** A server that answers with the name in the certificate of its client. */
export async function serveTls(options: TlsOptions): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createSecureServer({ allowHTTP1: true, ...options }, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    response.end(`answer for ${subject?.CN ?? 'none'}\n`);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

/** The circumstances of a request. */
export interface Asking {
  readonly cluster: Settings;
  readonly user?: Settings;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

/** Sends one request with a new configuration. */
export async function ask(
  program: BuiltProgram,
  { cluster, user = {}, env = {}, flags = [] }: Asking,
): ReturnType<typeof runBuilt> {
  using folder = temporaryFolder();
  const file = join(folder.path, 'config');
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'c', user }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
  };
  writeFileSync(file, JSON.stringify(config));
  // The flag that kubectl has, too.
  const argv = ['get', '--raw=/any', `--kubeconfig=${file}`, ...flags];
  return await runBuilt(program, argv, { folder: folder.path, env });
}
