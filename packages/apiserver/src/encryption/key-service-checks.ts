import type { ConfiguredEncryption } from '@orch/encryption';
import { type HealthCheck, healthy, unhealthy } from '@orch/program';

type Services = Pick<ConfiguredEncryption, 'services'>;

/** A restart does not repair a key service. */
const only = ['readyz', 'healthz'] as const;

/**
 * The health of key services, with the names of Kubernetes: one check for all when the configuration is reloaded or has version 2 alone,
 * else one for each.
 */
export function keyServiceChecks(configured: Services, isReloaded: boolean): readonly HealthCheck[] {
  const { services } = configured;
  if (isReloaded || services.every(({ version }) => version === 'v2'))
    return isReloaded || services.length > 0 ? [allChecked(configured)] : [];
  return services.map((service, at) => ({
    name: `kms-provider-${at}`,
    only,
    run: () => (service.failure === undefined ? healthy : unhealthy(reasonOf(service))),
  }));
}

const allChecked = (configured: Services): HealthCheck => ({
  name: 'kms-providers',
  only,
  run() {
    const failed = configured.services.filter(({ failure }) => failure !== undefined);
    return failed.length === 0 ? healthy : unhealthy(failed.map(reasonOf).join('; '));
  },
});

const reasonOf = ({ name, failure = '' }: Services['services'][number]): string =>
  `${JSON.stringify(name)}: ${failure}`;
