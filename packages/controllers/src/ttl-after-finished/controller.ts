import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  type Resource,
  splitKey,
} from '@orch/client';
import { unless } from '../api/failures.ts';
import { decideJob } from './decide.ts';

const jobs: Resource = { group: 'batch', version: 'v1', resource: 'jobs', kind: 'Job', namespaced: true };

/** Wall time can be set anew, so nobody sleeps longer than this before looking at it again. */
const LONGEST_WAIT_MS = 600_000;

/** Deletes jobs some time after they have finished, where they say so, and with them what they own. */
export function ttlAfterFinishedController(
  { client, informers, env }: ControllerContext,
  options: { readonly concurrency: number },
): Controller {
  const informer = informers.informer(jobs);
  return controller({
    name: 'ttl-after-finished',
    concurrency: options.concurrency,
    sources: [
      informerSource(informer, {
        filter: ({ type, object }) =>
          type !== 'deleted' && decideJob(object, env.clock.now()).kind !== 'keep',
      }),
    ],
    async reconcile(key, signal) {
      const { namespace, name } = splitKey(key);
      const api = client.resource(jobs, namespace);
      const seen = informer.store.get(key);
      let decision = seen === undefined ? undefined : decideJob(seen, env.clock.now());
      if (decision?.kind === 'delete') {
        // What was seen may be old: somebody may just have given it more time.
        const live = await unless(['NotFound'], () => api.get(name, {}, signal));
        decision = live === undefined ? undefined : decideJob(live, env.clock.now());
        if (live !== undefined && decision?.kind === 'delete') {
          const { uid = '', resourceVersion = '' } = live.metadata;
          const preconditions = { uid, resourceVersion };
          await unless(['NotFound'], () =>
            api.delete(name, { propagationPolicy: 'Foreground', preconditions }, signal),
          );
          return;
        }
      }
      if (decision?.kind === 'wait') return { requeueAfterMs: Math.min(decision.ms, LONGEST_WAIT_MS) };
      return;
    },
  });
}
