import {
  type Client,
  type ConnectionSettings,
  createClient,
  type HttpProtocol,
  namingOfServer,
  networkTransport,
  type Transport,
} from '@orch/client';
import { type Names, namesFor } from '@orch/machinery';
import { buildFacts } from '@orch/program/build';
import type { GlobalValues } from '../global-flags.ts';
import type { Io } from '../io.ts';
import { useLeanAuthorities } from '../lean-authorities.ts';
import { connectionSettings } from './connection-settings.ts';
import { discoveredMapper } from './discovered-mapper.ts';
import { DiscoveryCache } from './discovery-cache.ts';
import { loggedTransport } from './logged-transport.ts';
import { checkingPaths } from './path-check.ts';
import type { Session } from './session.ts';
import { WarningOutput } from './warning-output.ts';

/** The maximum time without data of a response, unless `--request-timeout` is another one. */
const TIMEOUT_MS = 60_000;

/**
 * Connects to the server of the chosen context, by one of the protocols if they are given. Rejects with `ConfigError`,
 * `TransportError` and `ApiError`.
 */
export async function openSession(
  globals: GlobalValues,
  io: Io,
  signal: AbortSignal,
  protocols?: readonly HttpProtocol[],
): Promise<Session> {
  const settings = await connectionSettings(globals, io);
  if (settings.server.startsWith('https:')) useLeanAuthorities();
  const cache = new DiscoveryCache(settings, io, globals);
  const network = loggedTransport(
    networkTransport(settings, io.env, protocols === undefined ? {} : { protocols }),
    io,
    globals.verbosity,
  );
  const transport = checkingPaths(network, () => cache.forget());
  const warnings = new WarningOutput(io.err);
  const clientFor = (names: Names): Client => clientOver(transport, { names, globals, io, warnings });
  const known = cache.read();
  const names = namesFor(known?.naming ?? (await namingOfServer(clientFor(namesFor('orch')), signal)));
  const client = clientFor(names);
  return {
    client,
    names,
    settings,
    namespace: namespaceOf(globals, settings),
    isNamespaceGiven: globals.namespace !== '',
    resources: discoveredMapper({
      earlier: known?.snapshot,
      async read() {
        const snapshot = await client.discovery.read(signal);
        cache.write({ naming: names.naming, snapshot });
        return snapshot;
      },
      forget: () => cache.forget(),
    }),
    warningCount: () => warnings.count,
    close: () => transport.close(),
  };
}

interface ClientContext {
  readonly names: Names;
  readonly globals: GlobalValues;
  readonly io: Io;
  readonly warnings: WarningOutput;
}

const clientOver = (transport: Transport, { names, globals, io, warnings }: ClientContext): Client =>
  createClient({
    transport,
    names,
    env: io.env,
    numbers: 'exact',
    userAgent: `orchctl/${buildFacts().version}`,
    onWarning: (warning) => warnings.add(warning.text),
    timeoutMs: globals.requestTimeoutMs === 0 ? TIMEOUT_MS : globals.requestTimeoutMs,
  });

const namespaceOf = ({ namespace }: GlobalValues, settings: ConnectionSettings): string =>
  namespace === '' ? (settings.namespace ?? 'default') : namespace;
