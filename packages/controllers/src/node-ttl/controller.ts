import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  objectKey,
  type Resource,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { unless } from '../api/failures.ts';
import { nextStep, ttlAt } from './decide.ts';

const nodes: Resource = { group: '', version: 'v1', resource: 'nodes', kind: 'Node', namespaced: false };

/** Tells nodes, in an annotation, how long they may believe what they have read: longer where there are many. */
export function nodeTtlController({ client, informers }: ControllerContext): Controller {
  const { nodeTtl } = client.names.annotations;
  const informer = informers.informer(nodes, { metadataOnly: true });
  let step = 0;
  const isWrong = (node: ApiObject): boolean => node.metadata.annotations?.[nodeTtl] !== ttlAt(step);
  return controller({
    name: 'ttl',
    sources: [
      informerSource(informer, {
        keys(changed) {
          const before = step;
          step = nextStep(step, informer.store.size);
          // Another size of the cluster concerns all of them.
          const concerned = step === before ? [changed] : [...informer.store.values()];
          return concerned.filter(isWrong).map(objectKey);
        },
      }),
    ],
    async reconcile(name, signal) {
      step = nextStep(step, informer.store.size);
      const node = informer.store.get(name);
      if (node === undefined || !isWrong(node)) return;
      const { uid } = node.metadata;
      const patch = { metadata: { uid, annotations: { [nodeTtl]: ttlAt(step) } } };
      await unless(['NotFound'], () => client.resource(nodes).patch.merge(name, patch, {}, signal));
    },
  });
}
