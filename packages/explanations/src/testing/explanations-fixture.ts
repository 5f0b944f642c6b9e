import { defaultRbacObjects, emptySource, RbacPolicy } from '@orch/auth';
import { createRegistry, type ServerContext } from '@orch/registry';
import {
  noConnections,
  RegistryFixture,
  type RegistryFixtureOptions,
  rbacAccess,
  servedParts,
} from '@orch/registry/testing';
import { explanationRoutes } from '../explanation-routes.ts';
import type { Peers } from '../requests/peers.ts';

export interface ExplanationsFixtureOptions extends RegistryFixtureOptions {
  /** Other replicas; none when absent. */
  readonly peers?: Peers;
}

const noPeers: Peers = { own: { id: 'replica', host: 'host' }, ask: async () => [] };

/** A registry in process with RBAC and the paths below `/why`. Requests name their user in header fields: `x-user: jane`. */
export class ExplanationsFixture extends RegistryFixture {
  static override async open(options: ExplanationsFixtureOptions = {}): Promise<ExplanationsFixture> {
    const { peers = noPeers } = options;
    const fixture = new ExplanationsFixture({ ...options, accessOf: rbacAccess }, ({ records, ...parts }) => {
      const registry = createRegistry({ ...parts, connector: noConnections });
      const { internal: context, served } = registry;
      const { authorizer, policy = new RbacPolicy(emptySource, parts.names) } = parts.access;
      const routes = explanationRoutes({
        context,
        served,
        authorizer,
        policy,
        remembered: records,
        peers,
        lastHour: async () => ({ points: [], episodes: [] }),
      });
      const registryParts = servedParts(registry, { routes });
      return {
        ...registryParts,
        bootstrap: async (signal) => {
          await registryParts.bootstrap(signal);
          await createRoles(context, signal);
        },
      };
    });
    await fixture.start();
    return fixture;
  }
}

async function createRoles({ names, objects }: ServerContext, signal: AbortSignal): Promise<void> {
  const gates = {
    isSince: () => false,
    storageMigrations: false,
    podGroups: false,
    explanations: true,
    emptyResources: false,
  };
  await Promise.all(
    defaultRbacObjects(names, gates).map(({ resource, namespace, name, content }) =>
      objects.resource('rbac', resource)?.create({ namespace, name }, content, signal),
    ),
  );
}
