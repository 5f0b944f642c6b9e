import { isConflict, isNotFound, type ResourceClient } from '@orch/client';
import { ApiError } from '@orch/machinery';
import { sleep } from '@orch/machinery/concurrency';
import type { FlagValues } from '@orch/program/flags';
import { dryRunSuffix } from '../../cli/write-flags.ts';
import type { Io } from '../../io.ts';
import type { Session } from '../../session/session.ts';
import { waitUntilGone } from '../write/delete-and-wait.ts';
import type { drainFlags } from './drain-flags.ts';
import type { Pod } from './drained-pods.ts';

export interface Eviction {
  readonly session: Session;
  readonly flags: FlagValues<typeof drainFlags>;
  readonly io: Io;
  readonly signal: AbortSignal;
}

const RETRY_MS = 5_000;

/** Evicts or deletes a pod and waits until it is gone. A refusal by a disruption budget is repeated until the signal. */
export async function removePod(pod: Pod, eviction: Eviction): Promise<void> {
  const { session, flags, io, signal } = eviction;
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const resource = await session.resources.named('pods');
  const client = session.client.resource(resource, namespace);
  const [doing, done] = flags.disableEviction ? ['deleting', 'deleted'] : ['evicting', 'evicted'];
  for (;;) {
    io.out.write(`${doing} pod ${namespace}/${name}${dryRunSuffix(flags.dryRun)}\n`);
    if (flags.dryRun === 'client' || (await isRequested(client, pod, eviction))) break;
    await sleep(io.env.clock, RETRY_MS, signal);
  }
  if (flags.dryRun !== 'none') return;
  await waitUntilGone(
    { client, target: { resource, namespace, name, document: undefined }, io, signal },
    uid,
  );
  io.out.write(`pod/${name} ${done}\n`);
}

/** Reports whether the deletion was accepted; a temporary refusal is reported. A missing pod counts as accepted. */
async function isRequested(client: ResourceClient, pod: Pod, eviction: Eviction): Promise<boolean> {
  try {
    await requestDeletion(client, pod, eviction);
    return true;
  } catch (error) {
    if (isNotFound(error)) return true;
    if (isConflict(error) && (await isReplaced(client, pod, eviction.signal))) return true;
    if (!(error instanceof ApiError) || error.status.code !== 429) throw error;
    const { name, namespace } = pod.metadata;
    eviction.io.err.write(
      `error when evicting pods/${JSON.stringify(name)} -n ${JSON.stringify(namespace)} (will retry after 5s): ${error.message}\n`,
    );
    return false;
  }
}

/** Reports whether the pod no longer exists, or another one has its name. */
async function isReplaced(client: ResourceClient, { metadata }: Pod, signal: AbortSignal): Promise<boolean> {
  try {
    return (await client.get(metadata.name ?? '', {}, signal)).metadata.uid !== metadata.uid;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}

async function requestDeletion(
  client: ResourceClient,
  { metadata: { name = '', namespace = '', uid } }: Pod,
  { session, flags, signal }: Eviction,
): Promise<void> {
  const options = {
    ...(flags.gracePeriod >= 0 && { gracePeriodSeconds: flags.gracePeriod }),
    // Another pod with the same name must not be deleted.
    ...(uid !== undefined && { preconditions: { uid } }),
  };
  const dryRun = flags.dryRun === 'server';
  if (flags.disableEviction) {
    await client.delete(name, { ...options, dryRun }, signal);
    return;
  }
  const eviction = {
    ...{ apiVersion: session.names.apiVersion('policy', 'v1'), kind: 'Eviction' },
    ...{ metadata: { name, namespace }, deleteOptions: options },
  };
  await client.subresource('eviction').create(name, eviction, { dryRun }, signal);
}
