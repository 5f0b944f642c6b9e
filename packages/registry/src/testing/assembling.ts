import type { ServedType } from '@orch/apis';
import type { CachedResource, WatchCache } from '@orch/cache';
import { errors } from '@orch/machinery';
import type { RequestRecords } from '@orch/pipeline';
import type { Route } from '@orch/request';
import type { Connector, Registry, RegistryOptions, ServerContext } from '../index.ts';

/** The parts of a fixture: a registry, and the parts that are built on it. */
export interface ServedParts extends Omit<Registry, 'internal' | 'served' | 'dynamic'> {
  /** Serves custom resources while the fixture is open. */
  readonly definitions?: {
    prime(signal: AbortSignal): Promise<void>;
    run(signal: AbortSignal): Promise<void>;
  };
  /** Serves the group versions of extension API servers while the fixture is open. */
  readonly aggregation?: { run(signal: AbortSignal): Promise<void> };
  readonly routes: readonly Route[];
  apiPaths(): readonly string[];
  /** Creates the objects that are there before the first request. */
  bootstrap(signal: AbortSignal): Promise<void>;
}

/** Joins a registry of the given options with what is built on it. */
export type Assemble<Parts extends ServedParts> = (options: AssembleOptions) => Parts;

export interface AssembleOptions extends Omit<RegistryOptions, 'connector'> {
  /** The requests that the fixture remembers. */
  readonly records: RequestRecords;
  /** The watch cache of the fixture, and how it reads the objects of further resources. */
  readonly customResources: {
    readonly cache: WatchCache;
    readonly cachedResourceOf: (type: ServedType) => CachedResource;
  };
}

/** A connector for registries that connect to nothing. */
export const noConnections: Connector = {
  connect: () => Promise.reject(errors.serviceUnavailable('this server connects to nothing')),
};

/** A registry with the namespaces of the system, and what is built on it. */
export function servedParts(
  { internal, served: _, dynamic: _dynamic, ...registry }: Registry,
  parts: Partial<ServedParts> = {},
): ServedParts {
  return {
    ...registry,
    routes: [],
    apiPaths: () => [],
    bootstrap: (signal) => createNamespaces(internal, signal),
    ...parts,
  };
}

async function createNamespaces({ names, objects }: ServerContext, signal: AbortSignal): Promise<void> {
  const namespaces = objects.resource('', 'namespaces');
  const content = { kind: 'Namespace', apiVersion: 'v1', metadata: {} };
  await Promise.all(
    Object.values(names.namespaces).map(async (name) => {
      const own = { namespace: '', name };
      const present = await namespaces?.read(own, signal);
      if (present === undefined) await namespaces?.create(own, content, signal);
    }),
  );
}
