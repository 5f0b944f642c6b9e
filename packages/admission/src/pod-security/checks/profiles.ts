import type { PodSecurityContext, SecurityContext } from '@orch/kinds/core';
import {
  type Check,
  type CheckedPod,
  containersWhere,
  listed,
  plural,
  quoted,
  settersText,
  sortedSet,
} from './check.ts';

type Context = PodSecurityContext | SecurityContext;

/** The type of a profile in a security context; undefined when it sets none. */
type ProfileOf = (context: Context | undefined) => string | undefined;

const isConfining = (type: string): boolean => type === 'RuntimeDefault' || type === 'Localhost';

/** The parts that set unconfined profiles, and the types of these. */
function unconfined(pod: CheckedPod, profileOf: ProfileOf) {
  const isBad = (context: Context | undefined): boolean => !isConfining(profileOf(context) ?? 'Localhost');
  const contexts = [pod.spec.securityContext, ...pod.containers.map((c) => c.securityContext)];
  return {
    setters: settersText(
      isBad(pod.spec.securityContext),
      containersWhere(pod, ({ securityContext }) => isBad(securityContext)),
    ),
    types: sortedSet(contexts.filter(isBad).flatMap((context) => profileOf(context) ?? [])),
  };
}

/** Annotations for which a condition holds, as `key="value"`. */
const annotationsWhere = (
  { annotations }: CheckedPod,
  holds: (key: string, value: string) => boolean,
): readonly string[] =>
  Object.entries(annotations)
    .filter(([key, value]) => holds(key, value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .toSorted();

const appArmorType: ProfileOf = (context) => {
  const profile = (context as { readonly appArmorProfile?: { readonly type?: string } } | undefined)
    ?.appArmorProfile;
  return profile === undefined ? undefined : (profile.type ?? '');
};

const isAppArmorProfile = (text: string): boolean =>
  text === '' || text === 'runtime/default' || text.startsWith('localhost/');

/** Checks that AppArmor profiles, of fields and of annotations, are the default one or those of the node. */
export const appArmor: Check = (pod) => {
  const { apparmorContainerPrefix: prefix } = pod.names.annotations;
  const { setters, types } = unconfined(pod, appArmorType);
  const annotations = annotationsWhere(
    pod,
    (key, value) => key.startsWith(prefix) && !isAppArmorProfile(value),
  );
  const profiles = [...types, ...annotations];
  if (profiles.length === 0) return undefined;
  const by = [
    ...(setters === '' ? [] : [setters]),
    ...(annotations.length === 0 ? [] : [plural(annotations.length, 'annotation')]),
  ];
  return {
    reason: plural(profiles.length, 'forbidden AppArmor profile'),
    detail: `${by.join(' and ')} must not set AppArmor profile type to ${quoted(profiles)}`,
  };
};

const isSeccompProfile = (text: string): boolean =>
  text === 'runtime/default' || text === 'docker/default' || text.startsWith('localhost/');

/** Checks seccomp profiles in annotations, which preceded the fields. */
export const seccompAnnotations: Check = (pod) => {
  const { seccompPod, seccompContainerPrefix: prefix } = pod.names.annotations;
  const keys = new Set([seccompPod, ...pod.containers.map(({ name = '' }) => `${prefix}${name}`)]);
  const annotations = annotationsWhere(pod, (key, value) => keys.has(key) && !isSeccompProfile(value));
  if (annotations.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${plural(annotations.length, 'annotation')} ${annotations.join(', ')}`,
  };
};

const seccompType: ProfileOf = (context) =>
  context?.seccompProfile === undefined ? undefined : (context.seccompProfile.type ?? '');

/** Checks that seccomp profiles, if set, are the default one or those of the node. */
export const seccompBaseline: Check = (pod) => {
  const { setters, types } = unconfined(pod, seccompType);
  if (setters === '') return undefined;
  return {
    reason: 'seccompProfile',
    detail: `${setters} must not set securityContext.seccompProfile.type to ${quoted(types)}`,
  };
};

/** Checks that seccomp profiles are set, by the pod or by each container. */
export const seccompRestricted: Check = (pod) => {
  const bad = seccompBaseline(pod);
  if (bad !== undefined || seccompType(pod.spec.securityContext) !== undefined) return bad;
  const unset = containersWhere(pod, ({ securityContext }) => seccompType(securityContext) === undefined);
  if (unset.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `pod or ${listed('container', unset)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};
