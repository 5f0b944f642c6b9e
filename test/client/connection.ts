import {
  type Client,
  type ClientOptions,
  type ConnectionSettings,
  createClient,
  fixedCredentials,
  networkTransport,
} from '@orch/client';
import { type Naming, namesFor } from '@orch/machinery';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import type { LaunchedServer } from '@orch/testkit';

export interface ConnectedClient extends AsyncDisposable {
  readonly client: Client;
}

/** The connection settings of the administrator of a launched server. */
export function adminSettings({ config }: Pick<LaunchedServer, 'config'>): ConnectionSettings {
  const { cert, key, token } = config;
  const identity = {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(cert === undefined || key === undefined
      ? {}
      : { tls: { cert: cert.toString(), key: key.toString() } }),
  };
  return {
    server: config.server,
    ca: config.ca.toString(),
    insecureSkipTlsVerify: false,
    disableCompression: false,
    credentials: fixedCredentials(identity),
  };
}

/** The administrator of a launched server, over the network. */
export function adminClient(
  server: Pick<LaunchedServer, 'config'>,
  naming: Naming,
  options: Partial<ClientOptions> & { readonly settings?: Partial<ConnectionSettings> } = {},
): ConnectedClient {
  const { settings, ...rest } = options;
  const env = systemEnv({ log: silentLogger });
  const transport = networkTransport({ ...adminSettings(server), ...settings }, env);
  const client = createClient({
    transport,
    names: namesFor(naming),
    env,
    userAgent: 'client-test/1',
    ...rest,
  });
  return { client, [Symbol.asyncDispose]: () => transport.close() };
}
