import {
  type Controller,
  type ControllerContext,
  controller,
  type Informer,
  informerSource,
  type kinds,
  type ObjectKey,
  type ResourceClient,
  typed,
} from '@orch/client';
import type { ApiObject } from '@orch/machinery';
import { servedSource } from '../api/served-source.ts';
import { decideFinalizer } from './decide.ts';
import { changeFinalizer } from './finalizer.ts';

type Claim = kinds.core.PersistentVolumeClaim;
type Volume = kinds.core.PersistentVolume;

const CONCURRENCY = 1;
const INDEX = 'vac-protection';

const keysOf = (names: readonly (string | undefined)[]): readonly ObjectKey[] => [
  ...new Set(names.filter((name) => name !== undefined).filter((name) => name !== '')),
];

/** The classes that a claim asks for, has, and changes to. */
export const classesOfClaim = ({ spec, status }: Claim): readonly ObjectKey[] =>
  keysOf([
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ]);

const classesOfVolume = ({ spec }: Volume): readonly ObjectKey[] => keysOf([spec?.volumeAttributesClassName]);

/**
 * Keeps a deleted VolumeAttributesClass until no claim and no volume names it. Only the informers are asked for claims and
 * volumes: a claim that is created while its class is being deleted may come too late to keep the class.
 */
export function classProtectionController(context: ControllerContext): Controller {
  const { client, informers } = context;
  const finalizer = client.names.finalizers.vacProtection;
  const { storage, core } = typed(client);
  const clients: readonly ResourceClient<ApiObject>[] = [
    storage.v1.volumeattributesclasses,
    storage.v1beta1.volumeattributesclasses,
    storage.v1alpha1.volumeattributesclasses,
  ];
  let served: { readonly api: ResourceClient<ApiObject>; readonly informer: Informer<ApiObject> } | undefined;
  const claims = informers.informer(core.v1.persistentvolumeclaims.resource, {
    indexes: { [INDEX]: classesOfClaim },
  });
  const volumes = informers.informer(core.v1.persistentvolumes.resource, {
    indexes: { [INDEX]: classesOfVolume },
  });
  const isUsed = (key: ObjectKey): boolean =>
    volumes.store.byIndex(INDEX, key).length > 0 || claims.store.byIndex(INDEX, key).length > 0;
  // A new claim or volume uses a class and releases none.
  const mayRelease = ({ type }: { readonly type: string }): boolean => type !== 'added';
  return controller({
    name: 'volumeattributesclass-protection-controller',
    concurrency: CONCURRENCY,
    sources: [
      servedSource(context, {
        versions: clients.map(({ resource }) => resource),
        onServed: (version) => {
          const api = clients.find(({ resource }) => resource === version);
          served = api && { api, informer: informers.informer(version) };
        },
        filter: ({ type, object }) => type !== 'deleted' && decideFinalizer(object, finalizer) !== 'keep',
      }),
      informerSource(claims, { filter: mayRelease, keys: classesOfClaim }),
      informerSource(volumes, { filter: mayRelease, keys: classesOfVolume }),
    ],
    async reconcile(key, signal) {
      const known = served?.informer.store.get(key);
      const decision = known === undefined ? 'keep' : decideFinalizer(known, finalizer);
      if (served === undefined || decision === 'keep') return;
      if (decision === 'removeWhenUnused' && isUsed(key)) return;
      await changeFinalizer(key, { api: served.api, finalizer, isUsed: () => isUsed(key) }, signal);
    },
  });
}
