import {
  type Client,
  type Controller,
  createClient,
  eventRecorder,
  fixedCredentials,
  type Identity,
  informerFactory,
  networkTransport,
  runControllers,
  type Transport,
} from '@orch/client';
import { allControllers, type ControllerOptions, type Work } from '@orch/controllers';
import { usualOptions } from '@orch/controllers/testing';
import { type Env, type Naming, namesFor } from '@orch/machinery';
import { silentLogger, systemEnv } from '@orch/machinery/env';
import { type ApiClient, type ClientConfig, type LaunchedServer, launchServer } from '@orch/testkit';
import { expectCode } from '../api/fixture.ts';

const isController = (work: Work): work is Controller => 'reconcile' in work;

export interface ControlledOptions {
  readonly naming?: Naming;
  readonly args?: readonly string[];
  /** Informers use the administrator's identity, as those of a manager use the manager's; the account's when absent. */
  readonly hasSharedInformers?: boolean;
  /** Writes what controllers log. */
  readonly verbose?: boolean;
}

export interface Controlled extends AsyncDisposable {
  readonly server: LaunchedServer;
  /** The administrator's. */
  readonly client: ApiClient;
  readonly env: Env;
  readonly names: ReturnType<typeof namesFor>;
  /** Runs a controller under its own service account, which has what its default role gives it and nothing else. */
  run(name: string, options?: Partial<ControllerOptions>): Promise<void>;
  /** Stops the running controllers, as a manager does that loses its lease. */
  stop(): Promise<void>;
}

const identityOf = (config: ClientConfig, token: string): Identity =>
  token === ''
    ? { headers: {}, tls: { cert: String(config.cert), key: String(config.key) } }
    : { headers: { authorization: `Bearer ${token}` } };

function transportAs(config: ClientConfig, token: string, env: Env): Transport {
  const identity = identityOf(config, token);
  return networkTransport(
    {
      server: config.server,
      ca: String(config.ca),
      insecureSkipTlsVerify: false,
      disableCompression: false,
      credentials: fixedCredentials(identity),
    },
    env,
  );
}

async function accountToken(client: ApiClient, namespace: string, name: string): Promise<string> {
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  const created = await client.post(accounts, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name },
  });
  if (created.status !== 409) expectCode(201, created);
  const { json } = expectCode(201, await client.post(`${accounts}/${name}/token`, { spec: {} }));
  return (json as { status: { token: string } }).status.token;
}

/** A server whose authorization is by roles alone, and controllers beside it in this process. */
export async function controlled(options: ControlledOptions = {}): Promise<Controlled> {
  const naming = options.naming ?? 'kubernetes';
  const names = namesFor(naming);
  const server = await launchServer({ naming, args: ['--authorization-mode=RBAC', ...(options.args ?? [])] });
  const env: Env =
    options.verbose === true ? systemEnv({ verbosity: 5 }) : { ...systemEnv(), log: silentLogger };
  const parts: {
    readonly stop: AbortController;
    readonly ended: Promise<void>;
    readonly transports: readonly Transport[];
  }[] = [];

  const stop = async (): Promise<void> => {
    for (const one of parts.splice(0)) {
      one.stop.abort(new Error('the test is over'));
      await one.ended;
      for (const transport of one.transports) await transport.close();
    }
  };

  return {
    server,
    client: server.client,
    env,
    names,
    stop,
    async run(name, given = {}) {
      const descriptor = allControllers.find((one) => one.name === name);
      if (descriptor?.serviceAccount === undefined) throw new Error(`no controller ${name} with an account`);
      const token = await accountToken(server.client, names.namespaces.system, descriptor.serviceAccount);
      const transport = transportAs(server.config, token, env);
      const client: Client = createClient({ transport, names, env, userAgent: `${name}/test` });
      const own = options.hasSharedInformers === true ? transportAs(server.config, '', env) : transport;
      const watching = createClient({ transport: own, names, env, userAgent: `${name}/test` });
      const informers = informerFactory({ client: watching, env, freeze: true });
      const events = eventRecorder({ client, env, component: name });
      const context = { env, client, informers, events };
      const work = await descriptor.build(context, { ...usualOptions, ...given });
      if (typeof work === 'string') throw new Error(`${name} does not run: ${work}`);
      const abort = new AbortController();
      const running = runControllers(env, work.filter(isController), { informers }, abort.signal);
      const ended = Promise.all([running, events.run(abort.signal)]).then(() => undefined);
      parts.push({ stop: abort, ended, transports: [...new Set([transport, own])] });
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await server[Symbol.asyncDispose]();
    },
  };
}
