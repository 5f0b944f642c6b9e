import { type Client, type Credentials, createClient, type Transport } from '@orch/client';
import type { Env, Names } from '@orch/machinery';
import { accountCredentials } from './account-credentials.ts';
import { missingAccounts } from './missing-accounts.ts';

/** Clients with the identity of the manager, and with those of its controllers. */
export interface ControllerClients extends AsyncDisposable {
  /** With the identity of the manager. */
  readonly own: Client;
  /** With the identity of a service account of the system namespace; one client per account. */
  of(account: string): Client;
}

export interface ClientsOptions {
  readonly env: Env;
  readonly names: Names;
  /** Opens a transport with other credentials and its own connections. */
  readonly transportOf: (credentials: Credentials) => Transport;
  /** Transport with the identity of the manager; closed by the caller. */
  readonly ownTransport: Transport;
  /** Version of the program, for the user agent. */
  readonly version: string;
  /** Fences a transport by the leadership; absent without election. */
  readonly fence?: (transport: Transport) => Transport;
  readonly signal: AbortSignal;
}

/** Creates clients on first use, one per account. */
export function controllerClients(options: ClientsOptions): ControllerClients {
  const { env, names, transportOf, ownTransport, signal, fence = (transport) => transport } = options;
  const program = `${names.programs.controllerManager}/${options.version}`;
  const client = (transport: Transport, part: string): Client =>
    createClient({
      transport: fence(transport),
      names,
      env,
      userAgent: `${program} (${part})`,
      // Controllers read all served kinds, deprecated ones too, so that these warnings require no action.
      onWarning: ({ text, method, target }) =>
        env.log.debug(2, 'warning of the API server', { warning: text, method, target }),
    });
  const own = client(ownTransport, 'manager');
  const isMissing = missingAccounts(own, signal);
  const clients = new Map<string, { readonly client: Client; readonly transport: Transport }>();
  return {
    own,
    of(account) {
      const existing = clients.get(account);
      if (existing !== undefined) return existing.client;
      const transport = transportOf(accountCredentials({ client: own, account, isMissing, env, signal }));
      const created = client(transport, account);
      clients.set(account, { client: created, transport });
      return created;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...clients.values()].map(({ transport }) => transport.close()));
    },
  };
}
