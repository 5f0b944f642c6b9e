import type { StatefulSet } from '@orch/kinds/apps';
import type { Container, PodSpec, Volume, VolumeMount } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import type { JsonObject } from '@orch/machinery/json';
import { checkDescendingPath, checkNoBacksteps } from '../../../../validation-rules.ts';

/** The volumes of a pod by name. */
export type Volumes = ReadonlyMap<string, Volume>;

/** Volumes of the spec, and those for claims from the templates of the whole object. */
export const volumesOf = (spec: PodSpec, root: JsonObject): Volumes =>
  new Map([...claimVolumes(root), ...(spec.volumes ?? [])].map((volume) => [volume.name ?? '', volume]));

const claimVolumes = ({ spec }: Pick<StatefulSet, 'spec'>): readonly Volume[] =>
  (spec?.volumeClaimTemplates ?? []).map(({ metadata }) => ({
    name: metadata.name ?? '',
    persistentVolumeClaim: {},
  }));

/**
 * Checks that each mounted volume exists, and that each path is used once. For compatibility, some errors name the
 * list.
 */
export function checkMounts(path: string, container: Container, volumes: Volumes): readonly FieldError[] {
  if ((container.volumeMounts ?? []).length === 0) return [];
  const list = `${path}.volumeMounts`;
  const privileged = container.securityContext?.privileged === true;
  const devices = new Map(
    (container.volumeDevices ?? []).map(({ name = '', devicePath = '' }) => [name, devicePath]),
  );
  const devicePaths = new Set(devices.values());
  const taken = new Set<string>();
  return (container.volumeMounts ?? []).flatMap((mount, i) => {
    const at = `${list}[${i}]`;
    const errors: FieldError[] = [];
    const name = mount.name ?? '';
    const mountPath = mount.mountPath ?? '';
    if (!volumes.has(name)) errors.push(fieldError.notFound(`${at}.name`, name));
    if (taken.has(mountPath)) errors.push(fieldError.invalid(`${at}.mountPath`, mountPath, 'must be unique'));
    taken.add(mountPath);
    if (devices.has(name)) {
      errors.push(fieldError.invalid(`${at}.name`, name, 'must not already exist in volumeDevices'));
    }
    if (devicePaths.has(mountPath)) {
      errors.push(
        fieldError.invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'),
      );
    }
    return [
      ...errors,
      ...checkSubPath(at, list, mount),
      ...checkPropagation(list, mount, privileged),
      ...checkRecursion(list, mount),
    ];
  });
}

function checkSubPath(at: string, list: string, mount: VolumeMount): readonly FieldError[] {
  const subPath = mount.subPath ?? '';
  const expression = mount.subPathExpr ?? '';
  const errors = subPath === '' ? [] : [...checkDescendingPath(`${list}.subPath`, subPath)];
  if (expression === '') return errors;
  if (subPath !== '') {
    errors.push(
      fieldError.invalid(`${at}.subPathExpr`, expression, 'subPathExpr and subPath are mutually exclusive'),
    );
  }
  return [...errors, ...checkDescendingPath(`${list}.subPathExpr`, expression)];
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

function checkPropagation(
  list: string,
  { mountPropagation: mode }: VolumeMount,
  privileged: boolean,
): readonly FieldError[] {
  const at = `${list}.mountPropagation`;
  if (mode !== undefined && !propagations.includes(mode))
    return [fieldError.notSupported(at, mode, propagations)];
  if (mode !== 'Bidirectional' || privileged) return [];
  const why = 'Bidirectional mount propagation is available only to privileged containers';
  return [fieldError.forbidden(at, why)];
}

const recursions = ['Disabled', 'Enabled', 'IfPossible'];

/** Checks that mounts below a volume are read-only only where the volume is, and where none is added later. */
function checkRecursion(list: string, mount: VolumeMount): readonly FieldError[] {
  const { recursiveReadOnly: value, readOnly, mountPropagation = 'None' } = mount;
  if (value === undefined || value === 'Disabled') return [];
  const path = `${list}.recursiveReadOnly`;
  if (!recursions.includes(value)) return [fieldError.notSupported(path, value, recursions)];
  return [
    ...(readOnly === true ? [] : [fieldError.forbidden(path, 'may only be specified when readOnly is true')]),
    ...(mountPropagation === 'None'
      ? []
      : [fieldError.forbidden(path, 'may only be specified when mountPropagation is None or not specified')]),
  ];
}

/** Devices are made from claims, every path is used once, and nothing is both a device and a mount. */
export function checkDevices(path: string, container: Container, volumes: Volumes): readonly FieldError[] {
  if ((container.volumeDevices ?? []).length === 0) return [];
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounts = new Map(
    (container.volumeMounts ?? []).map(({ name = '', mountPath = '' }) => [name, mountPath]),
  );
  const mountPaths = new Set(mounts.values());
  return (container.volumeDevices ?? []).flatMap((device, i) => {
    const at = `${path}.volumeDevices[${i}]`;
    const errors: FieldError[] = [];
    const name = device.name ?? '';
    const devicePath = device.devicePath ?? '';
    const volume = volumes.get(name);
    if (name !== '' && names.has(name)) errors.push(fieldError.invalid(`${at}.name`, name, 'must be unique'));
    if (volume === undefined) errors.push(fieldError.notFound(`${at}.name`, name));
    if (
      volume !== undefined &&
      volume.persistentVolumeClaim === undefined &&
      volume.ephemeral === undefined
    ) {
      errors.push(
        fieldError.invalid(
          `${at}.name`,
          name,
          'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
        ),
      );
    }
    if (paths.has(devicePath))
      errors.push(fieldError.invalid(`${at}.devicePath`, devicePath, 'must be unique'));
    const steps = checkNoBacksteps(`${at}.devicePath`, devicePath);
    errors.push(...steps);
    if (mounts.has(name))
      errors.push(fieldError.invalid(`${at}.name`, name, 'must not already exist in volumeMounts'));
    if (mountPaths.has(devicePath)) {
      const why = 'must not already exist as a path in volumeMounts';
      errors.push(fieldError.invalid(`${at}.devicePath`, devicePath, why));
    }
    if (name !== '') names.add(name);
    if (steps.length === 0) paths.add(devicePath);
    return errors;
  });
}
