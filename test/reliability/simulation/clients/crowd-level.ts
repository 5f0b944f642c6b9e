import { builtinResources, type Client } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { crowdName } from '../world/seats.ts';

/** Of about 350 shares of all levels. */
const SHARES = 100;
const QUEUES = 2;
const QUEUE_LENGTH = 2;

/** Creates the priority level of the crowd, and the flow schema that directs its requests there. */
export async function createCrowdLevel(client: Client): Promise<void> {
  const { v1 } = builtinResources(client.names).flowcontrol;
  const metadata = { name: crowdName };
  const queuing = { queues: QUEUES, handSize: 1, queueLengthLimit: QUEUE_LENGTH };
  const limited = {
    nominalConcurrencyShares: SHARES,
    borrowingLimitPercent: 0,
    limitResponse: { type: 'Queue' as const, queuing },
  };
  await client
    .resource(v1.prioritylevelconfigurations)
    .create({ metadata, spec: { type: 'Limited', limited } })
    .catch(unlessPresent);
  const resources = {
    verbs: ['*'],
    apiGroups: ['*'],
    resources: ['*'],
    clusterScope: true,
    namespaces: ['*'],
  };
  const rules = [
    { subjects: [{ kind: 'User' as const, user: { name: crowdName } }], resourceRules: [resources] },
  ];
  const spec = { priorityLevelConfiguration: { name: crowdName }, matchingPrecedence: 10, rules };
  await client.resource(v1.flowschemas).create({ metadata, spec }).catch(unlessPresent);
}

const unlessPresent = (error: unknown): undefined => {
  if (error instanceof ApiError && error.status.code === 409) return undefined;
  throw error;
};
