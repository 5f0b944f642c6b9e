import type { OpenWebhook } from '@orch/auth';
import { createRegistry } from '@orch/registry';
import {
  noConnections,
  RegistryFixture,
  type RegistryFixtureOptions,
  servedParts,
} from '@orch/registry/testing';
import { definitionHooks, serveDefinitions } from '../serve-definitions.ts';

const openWebhook: OpenWebhook = () => {
  throw new Error('this server calls no webhooks');
};

/** A registry in process that serves custom resources, without discovery and without conversion webhooks. */
export class CustomResourcesFixture extends RegistryFixture {
  static override async open(options: RegistryFixtureOptions = {}): Promise<CustomResourcesFixture> {
    const fixture = new CustomResourcesFixture(options, ({ customResources, ...parts }) => {
      const catchUp = (signal: AbortSignal) => definitions.catchUp(signal);
      const registry = createRegistry({
        ...parts,
        catchUp,
        connector: noConnections,
        hooksOf: definitionHooks({ ...parts, clock: parts.env.clock }),
      });
      const definitions = serveDefinitions({ ...customResources, registry, openWebhook, catchUp });
      return { ...servedParts(registry), definitions };
    });
    await fixture.start();
    return fixture;
  }
}
