import { type Env, messageOf } from '@orch/machinery';
import { anySignal, sleep, withDeadline } from '@orch/machinery/concurrency';
import type { Client } from '../client.ts';
import { type CertificateWithKey, problemOfPair } from '../files/pem.ts';
import { readSmallFile } from '../files/small-file.ts';
import { DelegatedAuthenticator } from './delegated-authenticator.ts';
import { DelegatedAuthorizer } from './delegated-authorizer.ts';
import type { ExtensionApi } from './extension-api.ts';
import { ExtensionServer } from './extension-server.ts';
import { followProxyTrust } from './proxy-trust.ts';

export interface RunExtensionServerOptions {
  readonly api: ExtensionApi;
  /**
   * The identity of this server at the API server. It needs the cluster role `system:auth-delegator`, and in the system
   * namespace the role `extension-apiserver-authentication-reader`.
   */
  readonly client: Client;
  readonly env: Env;
  /** Files of the serving certificate and its key, in PEM. They are read again every ten seconds. */
  readonly certFile: string;
  readonly keyFile: string;
  readonly port: number;
  /** The address to listen on; all of the machine when absent. */
  readonly host?: string;
  readonly onListening?: (port: number) => void;
}

const REREAD_MS = 10_000;
/** Time for requests in progress after the signal. */
const DRAIN_MS = 10_000;

/**
 * Serves an API behind the API server until the signal aborts: follows the trust in the proxy and the serving certificate,
 * delegates authentication and authorization. It listens once the trust was read. Throws when it cannot listen, and for a
 * certificate that cannot be used at the start.
 */
export async function runExtensionServer(
  options: RunExtensionServerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { api, client, env } = options;
  const tls = readPair(options);
  const server = new ExtensionServer({
    ...{ api, env, tls, names: client.names },
    authenticator: new DelegatedAuthenticator(client, env.clock),
    authorizer: new DelegatedAuthorizer(client, env.clock),
  });
  const trust = followProxyTrust({ client, env, onChange: (changed) => server.updateTrust(changed) });
  using scope = anySignal([signal]);
  const following = Promise.all([trust.run(scope.signal), followCertificate(options, server, scope.signal)]);
  try {
    await trust.synced(scope.signal);
    options.onListening?.(await server.listen(options.port, options.host));
    await following;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    scope.abort();
    await following;
    using drain = withDeadline(new AbortController().signal, env.clock, DRAIN_MS);
    await server.close(drain.signal);
  }
}

/** Presents the certificate in the files when they have changed. Resolves when the signal aborts. */
async function followCertificate(
  options: RunExtensionServerOptions,
  server: ExtensionServer,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log } = options.env;
  for (;;) {
    try {
      await sleep(clock, REREAD_MS, signal);
    } catch {
      return;
    }
    try {
      server.updateCertificate(readPair(options));
    } catch (error) {
      // The files may be in the middle of a change.
      log.warn('the serving certificate cannot be used', { error: messageOf(error) });
    }
  }
}

/** Throws for files that cannot be read, and for a key of another certificate. */
function readPair({ certFile, keyFile }: RunExtensionServerOptions): CertificateWithKey {
  const pair = { cert: readSmallFile(certFile), key: readSmallFile(keyFile) };
  const wrong = problemOfPair(pair);
  if (wrong === undefined) return pair;
  throw new Error(`${wrong.of === 'cert' ? certFile : keyFile} ${wrong.problem}`);
}
