import type { PodSpec } from '@orch/kinds/core';
import { type FieldError, fieldError, type Names, type ObjectMeta } from '@orch/machinery';
import { checkDescendingPath } from '../../../../validation-rules.ts';
import {
  containersOf,
  differenceOf,
  isDefaultOfDocker,
  isWellKnown,
  localPathOf,
  nameProfiles,
} from '../profiles.ts';

interface Annotated {
  readonly metadata?: ObjectMeta | undefined;
  readonly spec?: PodSpec | undefined;
}

/** Checks annotations of a pod or a template that name profiles. Those that the stored object has are kept. */
export function checkProfileAnnotations(
  path: string,
  { metadata, spec = {} }: Annotated,
  old: Annotated | undefined,
  { annotations: keys }: Names,
): readonly FieldError[] {
  const before = old?.metadata?.annotations ?? {};
  const at = `${path}metadata.annotations`;
  let known: ReadonlySet<string | undefined> | undefined;
  const isContainer = (name: string): boolean => {
    known ??= new Set(containersOf('', spec).map(({ container }) => container.name));
    return known.has(name);
  };
  return Object.entries(metadata?.annotations ?? {}).flatMap(([key, value]) => {
    if (before[key] === value) return [];
    // For compatibility, the key of such an annotation is reported as a field.
    if (key === keys.seccompPod || key.startsWith(keys.seccompContainerPrefix))
      return checkSeccomp(`${at}.${key}`, value);
    const prefix = keys.apparmorContainerPrefix;
    return key.startsWith(prefix)
      ? checkAppArmor(`${at}[${key}]`, value, { name: key.slice(prefix.length), isContainer })
      : [];
  });
}

function checkSeccomp(path: string, value: string): readonly FieldError[] {
  const local = localPathOf(value);
  if (local !== undefined) return checkDescendingPath(path, local);
  return isWellKnown(value) || isDefaultOfDocker(value)
    ? []
    : [fieldError.invalid(path, value, 'must be a valid seccomp profile')];
}

interface AppArmorTarget {
  readonly name: string;
  readonly isContainer: (name: string) => boolean;
}

function checkAppArmor(
  path: string,
  value: string,
  { name, isContainer }: AppArmorTarget,
): readonly FieldError[] {
  const isProfile = value === '' || isWellKnown(value) || localPathOf(value) !== undefined;
  return [
    ...(isContainer(name) ? [] : [fieldError.invalid(path, name, 'container not found')]),
    ...(isProfile ? [] : [fieldError.invalid(path, value, 'must be a valid AppArmor profile')]),
  ];
}

/** Checks that annotations and fields of a new pod name the same profiles, where both are there. */
export function checkProfilesAgree(
  { metadata, spec = {} }: Annotated,
  names: Names,
  hasAppArmorFields: boolean,
): readonly FieldError[] {
  const { annotations = {} } = metadata ?? {};
  if (!nameProfiles(annotations, names)) return [];
  const keys = names.annotations;
  const ofPod = spec.securityContext ?? {};
  const containers = containersOf('spec', spec);
  const seccomp = 'securityContext.seccompProfile';
  return [
    ...checkAgreement(`spec.${seccomp}`, ofPod.seccompProfile, annotations[keys.seccompPod]),
    ...containers.flatMap(({ path, container }) =>
      checkAgreement(
        `${path}.${seccomp}`,
        container.securityContext?.seccompProfile,
        annotations[`${keys.seccompContainerPrefix}${container.name}`],
      ),
    ),
    ...(hasAppArmorFields && spec.os?.name !== 'windows'
      ? containers.flatMap(({ path, container }) =>
          checkAgreement(
            `${path}.securityContext.appArmorProfile`,
            container.securityContext?.appArmorProfile ?? ofPod.appArmorProfile,
            annotations[`${keys.apparmorContainerPrefix}${container.name}`],
          ),
        )
      : []),
  ];
}

function checkAgreement(
  path: string,
  profile: Parameters<typeof differenceOf>[0] | undefined,
  annotation: string | undefined,
): readonly FieldError[] {
  if (profile === undefined || annotation === undefined) return [];
  if (isDefaultOfDocker(annotation) && path.endsWith('seccompProfile') && profile.type === 'RuntimeDefault')
    return [];
  const field = differenceOf(profile, annotation);
  return field === undefined
    ? []
    : [fieldError.forbidden(`${path}.${field}`, 'profile in annotation and field must match')];
}
