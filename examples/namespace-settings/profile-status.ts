import {
  type Controller,
  type ControllerContext,
  controller,
  informerSource,
  isNotFound,
  keyOf,
  splitKey,
} from '@orch/client';
import { BY_PROFILE, namespacesOf, requestedBy } from './namespaces.ts';
import { profiles } from './profile.ts';

/** Writes the number of namespaces that request a profile into its status. Keys are those of profiles. */
export function profileStatusController(context: ControllerContext, profilesIn: string): Controller {
  const namespaces = namespacesOf(context);
  const known = context.informers.informer(profiles, { namespace: profilesIn });
  const status = context.client.resource(profiles, profilesIn).subresource('status');
  return controller({
    name: 'profile-status',
    sources: [
      informerSource(known),
      // The profile that a namespace requests, and the one that it requested before.
      informerSource(namespaces, {
        keys: (namespace) => requestedBy(namespace).map((name) => keyOf(profilesIn, name)),
      }),
    ],
    async reconcile(key, signal) {
      const { name } = splitKey(key);
      const profile = known.store.get(key);
      const using = namespaces.store.byIndex(BY_PROFILE, name).length;
      if (profile === undefined || profile.status?.namespaces === using) return undefined;
      try {
        await status.patch.merge(name, { status: { namespaces: using } }, {}, signal);
      } catch (error) {
        // It was deleted meanwhile.
        if (!isNotFound(error)) throw error;
      }
      return undefined;
    },
  });
}
