import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  type kinds,
  type ResourceClient,
  splitKey,
  typed,
} from '@orch/client';
import type { Clock } from '@orch/machinery';
import { ignoreReasons, preconditionsOf } from '../api/writes.ts';
import { decideJob, type JobDecision } from './decide.ts';

/** The wall clock can be changed, so that no job waits longer than this for its next examination. */
const MAX_WAIT_MS = 600_000;

/** Deletes finished jobs, and with them their dependents, when their time to live has passed. */
export function ttlAfterFinishedController(
  { client, informers, env: { clock } }: ControllerContext,
  options: { readonly concurrency: number },
): Controller {
  const { jobs } = typed(client).batch.v1;
  const informer = informers.informer(jobs.resource);
  return controller({
    name: 'ttl-after-finished',
    concurrency: options.concurrency,
    sources: [
      informerSource(informer, {
        filter: ({ type, object }) => type !== 'deleted' && decideJob(object, clock.now()).kind !== 'keep',
      }),
    ],
    async reconcile(key, signal) {
      const cached = informer.store.get(key);
      if (cached === undefined) return;
      const { namespace = '', name } = splitKey(key);
      let decision = decideJob(cached, clock.now());
      if (decision.kind === 'delete')
        decision = await deleteExpired(jobs.in(namespace), name, { clock, signal });
      return decision.kind === 'wait' ? { requeueAfterMs: Math.min(decision.ms, MAX_WAIT_MS) } : undefined;
    },
  });
}

/** Decides again by the live object, whose time to live may have been extended, and deletes it if still expired. */
async function deleteExpired(
  jobs: ResourceClient<kinds.batch.Job>,
  name: string,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<JobDecision> {
  const live = await ignoreReasons(['NotFound'], () => jobs.get(name, {}, signal));
  if (live === undefined) return { kind: 'keep' };
  const decision = decideJob(live, clock.now());
  if (decision.kind !== 'delete') return decision;
  const options = { propagationPolicy: 'Foreground', preconditions: preconditionsOf(live.metadata) } as const;
  await ignoreReasons(['NotFound'], () => jobs.delete(name, options, signal));
  return decision;
}
