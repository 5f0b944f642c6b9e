import type { Env } from '@orch/machinery';
import { anySignal, withDeadline } from '@orch/machinery/concurrency';
import type { Client } from '../client.ts';
import { followPair, type PairFiles, readPair } from '../files/serving-pair.ts';
import { DelegatedAuthenticator } from './delegated-authenticator.ts';
import { DelegatedAuthorizer } from './delegated-authorizer.ts';
import type { ExtensionApi } from './extension-api.ts';
import { ExtensionServer } from './extension-server.ts';
import { followProxyTrust } from './proxy-trust.ts';

/** The API, the port and the certificate of an extension API server. */
export interface RunExtensionServerOptions extends PairFiles {
  readonly api: ExtensionApi;
  /**
   * The identity of this server at the API server. It needs the cluster role `system:auth-delegator`, and in the system
   * namespace the role `extension-apiserver-authentication-reader`.
   */
  readonly client: Client;
  readonly env: Env;
  readonly port: number;
  /** The address to listen on; all of the machine when absent. */
  readonly host?: string;
  readonly onListening?: (port: number) => void;
}

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
  const following = Promise.all([
    trust.run(scope.signal),
    followPair(options, env, (pair) => server.updateCertificate(pair), scope.signal),
  ]);
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
