import type { SeccompProfile } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { PodRule, ReviewedContainer, ReviewedPod, RuleParts, Rules } from '../rule.ts';

const RUNTIME_DEFAULT = 'runtime/default';
const LOCALHOST = 'localhost/';

/** The older name of the profile of container runtimes is equivalent to the newer one. */
const normal = (profile: string): string => (profile === 'docker/default' ? RUNTIME_DEFAULT : profile);

/** The annotation value of a profile in a field. */
function annotationOf(profile: SeccompProfile | undefined): string | undefined {
  switch (profile?.type) {
    case undefined:
      return undefined;
    case 'RuntimeDefault':
      return RUNTIME_DEFAULT;
    case 'Localhost':
      return LOCALHOST + (profile?.localhostProfile ?? '');
    default:
      return 'unconfined';
  }
}

/** A profile of an annotation as a field; undefined for one that fields cannot name. */
function fieldOf(profile: string): SeccompProfile | undefined {
  if (profile === RUNTIME_DEFAULT) return { type: 'RuntimeDefault' };
  if (profile === 'unconfined') return { type: 'Unconfined' };
  return profile.startsWith(LOCALHOST)
    ? { type: 'Localhost', localhostProfile: profile.slice(LOCALHOST.length) }
    : undefined;
}

/** Seccomp profiles of pods and containers, by annotations and by fields. */
export function seccomp(parts: RuleParts): Rules {
  const { annotations: keys } = parts.names;
  const allowed = allowedProfiles(parts);
  const usual = normal(parts.annotations[keys.seccompDefaultProfile] ?? '');
  /** If annotation and field differ, both must be allowed. */
  const check = (key: string, profiles: readonly string[]): readonly FieldError[] =>
    (profiles.length === 0 ? [''] : profiles)
      .filter((profile) => !allowed.includes(normal(profile)))
      .map((profile) =>
        fieldError.forbidden(
          `metadata.annotations[${key}]`,
          `${profile} is not an allowed seccomp profile. Valid values are ${allowed.text}`,
        ),
      );
  const ofPod = ({ annotations, spec }: ReviewedPod): readonly string[] =>
    set(annotations[keys.seccompPod] || undefined, annotationOf(spec.securityContext?.seccompProfile));
  const ofContainer = ({ pod, container: { name = '', securityContext } }: ReviewedContainer) => {
    const own = pod.annotations[keys.seccompContainerPrefix + name];
    return set(own, annotationOf(securityContext?.seccompProfile));
  };
  const defaults: PodRule['defaults'] = (pod) => {
    if (usual === '' || ofPod(pod).length > 0) return undefined;
    const field = parts.hasSeccompFields ? fieldOf(usual) : undefined;
    const annotations = { [keys.seccompPod]: usual };
    return field === undefined
      ? { annotations }
      : { annotations, securityContext: { seccompProfile: field } };
  };
  return {
    pod: { defaults, check: (pod) => check(keys.seccompPod, ofPod(pod)) },
    container: {
      check(reviewed) {
        const own = ofContainer(reviewed);
        const key = keys.seccompContainerPrefix + (reviewed.container.name ?? '');
        return check(key, own.length > 0 ? own : ofPod(reviewed.pod));
      },
    },
  };
}

const set = (...profiles: readonly (string | undefined)[]): readonly string[] =>
  profiles.filter((profile) => profile !== undefined);

/** The profiles that a policy allows: without a list, none may be set. */
function allowedProfiles({ annotations, names }: RuleParts) {
  const text = annotations[names.annotations.seccompAllowedProfiles] ?? '';
  const profiles = new Set(text.split(',').map(normal));
  return { text, includes: (profile: string): boolean => profiles.has('*') || profiles.has(profile) };
}
