import { builtinResources, createClient, type LoadedConfig } from '@orch/client';

/** The holder that takes a Lease. */
const RIVAL = 'another-replica-of-the-test';

/** Takes a Lease from its holder, which loses its leadership with the next renewal. Rejects with the failures of requests. */
export async function takeLease(
  config: LoadedConfig,
  { name, namespace = config.namespace }: { readonly name: string; readonly namespace?: string },
): Promise<void> {
  const client = createClient(config);
  const { leases } = builtinResources(client.names).coordination.v1;
  const objects = client.resource(leases, namespace);
  const { spec = {} } = await objects.get(name);
  const now = new Date(config.env.clock.now()).toISOString().replace('Z', '000Z');
  const leaseTransitions = (spec.leaseTransitions ?? 0) + 1;
  await objects.patch.merge(name, {
    spec: {
      holderIdentity: RIVAL,
      acquireTime: now,
      renewTime: now,
      leaseDurationSeconds: 1,
      leaseTransitions,
    },
  });
}
