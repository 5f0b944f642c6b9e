import { builtinResources, type ControllerContext, type Informer, type ObjectOf } from '@orch/client';
import { PROFILE } from './decide.ts';

export type Namespace = ObjectOf<ReturnType<typeof builtinResources>['core']['v1']['namespaces']>;

/** The index of namespaces by the name of their profile. */
export const BY_PROFILE = 'settings.example.com/by-profile';

/** The name of the profile that a namespace requests, if any. */
export const requestedBy = ({ metadata }: Namespace): string[] => {
  const name = metadata.annotations?.[PROFILE];
  return name === undefined ? [] : [name];
};

/** The informer of namespaces, which all controllers of the operator share. */
export const namespacesOf = ({ client, informers }: ControllerContext): Informer<Namespace> =>
  informers.informer(builtinResources(client.names).core.v1.namespaces, {
    indexes: { [BY_PROFILE]: requestedBy },
  });
