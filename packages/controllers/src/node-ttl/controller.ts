import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  objectKey,
  typed,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { ignoreReasons } from '../api/writes.ts';
import { nextStep, ttlAt } from './decide.ts';

/** Annotates nodes with the time for which they may cache secrets and config maps: longer in larger clusters. */
export function nodeTtlController({ client, informers }: ControllerContext): Controller {
  const { nodeTtl } = client.names.annotations;
  const { nodes } = typed(client).core.v1;
  const informer = informers.informer(nodes.resource, { metadataOnly: true });
  let step = 0;
  const isWrong = (node: ApiObject): boolean => node.metadata.annotations?.[nodeTtl] !== ttlAt(step);
  return controller({
    name: 'ttl',
    sources: [
      informerSource(informer, {
        keys(changed) {
          const before = step;
          step = nextStep(step, informer.store.size);
          // Another step concerns all nodes.
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
      await ignoreReasons(['NotFound'], () => nodes.patch.merge(name, patch, {}, signal));
    },
  });
}
