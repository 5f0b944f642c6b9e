import { createRegistry } from '@orch/registry';
import {
  noConnections,
  RegistryFixture,
  type RegistryFixtureOptions,
  servedParts,
} from '@orch/registry/testing';
import { discoveryRoutes } from '../groups/index.ts';
import { openApiRoutes, PublishedDocuments } from '../openapi/index.ts';

/** A registry in process, with discovery and OpenAPI. */
export const openDiscovery = (options: RegistryFixtureOptions = {}): Promise<RegistryFixture> =>
  RegistryFixture.assembled(options, (parts) => {
    const registry = createRegistry({ ...parts, connector: noConnections });
    const discovery = discoveryRoutes(registry.served);
    const { served } = registry;
    return servedParts(registry, {
      routes: [...discovery.routes, ...openApiRoutes(new PublishedDocuments(served), served)],
      apiPaths: discovery.paths,
    });
  });
