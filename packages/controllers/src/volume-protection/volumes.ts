import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  type Resource,
} from '@orch/client';
import { decideFinalizer, isVolumeBound } from './decide.ts';
import { changeFinalizer } from './finalizer.ts';

const volumes: Resource = {
  group: '',
  version: 'v1',
  resource: 'persistentvolumes',
  kind: 'PersistentVolume',
  namespaced: false,
};
const CONCURRENCY = 5;

/** Keeps a volume that was deleted until no claim is bound to it. */
export function volumeProtectionController({ client, informers }: ControllerContext): Controller {
  const finalizer = client.names.finalizers.pvProtection;
  const informer = informers.informer(volumes);
  const api = client.resource(volumes);
  return controller({
    name: 'pv-protection',
    concurrency: CONCURRENCY,
    sources: [
      informerSource(informer, {
        filter: ({ type, object }) => type !== 'deleted' && decideFinalizer(object, finalizer) !== 'keep',
      }),
    ],
    async reconcile(name, signal) {
      const volume = informer.store.get(name);
      if (volume === undefined || decideFinalizer(volume, finalizer) === 'keep') return;
      if (decideFinalizer(volume, finalizer) === 'removeWhenUnused' && isVolumeBound(volume)) return;
      await changeFinalizer(api, volume, { finalizer, isUsed: isVolumeBound }, signal);
    },
  });
}
