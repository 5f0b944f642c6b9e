import { type Client, type Credentials, createClient, type Transport } from '@orch/client';
import type { Env, Names } from '@orch/machinery';
import { accountCredentials } from './account-credentials.ts';

/** Clients of the manager: under its own identity, and under those of its controllers. */
export interface ControllerClients extends AsyncDisposable {
  /** The manager's own. */
  readonly own: Client;
  /** That of a service account of the system; always the same for the same account. */
  of(account: string): Client;
}

export interface ClientsOptions {
  readonly env: Env;
  readonly names: Names;
  /** A way to the server under other credentials than the manager's; the connections are its own. */
  readonly transportOf: (credentials: Credentials) => Transport;
  /** The way to the server under the manager's identity. Stays its owner's to close. */
  readonly ownTransport: Transport;
  /** Of the program, for the server's log and audit. */
  readonly version: string;
  /** Puts a leadership around transports, under which everything is done; absent without one. */
  readonly fence?: (transport: Transport) => Transport;
  readonly signal: AbortSignal;
}

/** Makes clients, one for each account when it is first asked for. */
export function controllerClients(options: ClientsOptions): ControllerClients {
  const { env, names, transportOf, ownTransport, signal, fence = (transport) => transport } = options;
  const program = `${names.programs.controllerManager}/${options.version}`;
  const client = (transport: Transport, part: string): Client =>
    createClient({
      transport: fence(transport),
      names,
      env,
      userAgent: `${program} (${part})`,
      // Controllers look at every kind there is, deprecated ones too: nobody has to do anything about that.
      onWarning: ({ text, method, target }) =>
        env.log.debug(2, 'the server warns', { warning: text, method, target }),
    });
  const own = client(ownTransport, 'manager');
  const clients = new Map<string, { readonly client: Client; readonly transport: Transport }>();
  return {
    own,
    of(account) {
      const known = clients.get(account);
      if (known !== undefined) return known.client;
      const transport = transportOf(accountCredentials({ client: own, account, env, signal }));
      const made = client(transport, account);
      clients.set(account, { client: made, transport });
      return made;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...clients.values()].map(({ transport }) => transport.close()));
    },
  };
}
