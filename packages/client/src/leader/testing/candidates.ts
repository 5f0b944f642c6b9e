import { aborted } from '@orch/machinery/concurrency';
import { settle } from '@orch/machinery/testing';
import type { TestClient } from '../../testing/index.ts';
import { type LeaderElectionOptions, type LeaderElector, leaderElector } from '../leader-elector.ts';
import type { Leadership } from '../leadership.ts';
import type { LeaseRecord } from '../lease-record.ts';

const election = { namespace: 'system', name: 'boss' };

export const candidate = (
  { client, env }: TestClient,
  identity: string,
  options: Partial<LeaderElectionOptions> = {},
): LeaderElector => leaderElector({ client, env, ...election, identity, ...options });

export const place = (test: TestClient) => ({
  collection: `${test.client.names.group('coordination')}/leases`,
  namespace: 'system',
  name: 'boss',
});

export const record = (test: TestClient): LeaseRecord =>
  test.api.objects.get(place(test))['spec'] as LeaseRecord;

/** Work that keeps its leadership and ends with it. */
export const led: { leadership: Leadership | undefined } = { leadership: undefined };
export const lead = async (leadership: Leadership): Promise<void> => {
  led.leadership = leadership;
  await aborted(leadership.signal);
};

export const calm = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await settle();
};
