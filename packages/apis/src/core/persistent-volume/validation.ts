import type { CSIPersistentVolumeSource, PersistentVolume, PersistentVolumeSpec } from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { jsonEquals } from '@orch/machinery/json';
import { quantitySign } from '@orch/machinery/quantity';
import type { Check } from '@orch/schema';
import { checkFormat, presentOf } from '../../validation-rules.ts';
import { checkAccessModes } from '../shared/validation/access-modes.ts';
import { amountsOf } from '../shared/validation/resources.ts';
import { volumeSources } from '../shared/volume/source-order.ts';

/** Checks the rules of a volume that span fields. */
export const checkVolumeSpec: Check<PersistentVolumeSpec> = (spec, { path }) => [
  ...checkAccessModes(`${path}.accessModes`, spec.accessModes ?? []),
  ...(path === 'spec' ? checkCapacity(`${path}.capacity`, spec.capacity) : checkInlineVolume(path, spec)),
  ...checkSource(path, spec),
  ...checkAttributesClass(path, spec),
];

/** Checks that only volumes of CSI drivers have an attributes class, and that it has a name. */
const checkAttributesClass = (
  path: string,
  { volumeAttributesClassName: name, csi }: PersistentVolumeSpec,
): readonly FieldError[] => [
  ...(name === ''
    ? [fieldError.required(`${path}.volumeAttributesClassName`, 'an empty string is disallowed')]
    : []),
  ...(name === undefined || csi !== undefined
    ? []
    : [fieldError.required(`${path}.csi`, 'has to be specified when using volumeAttributesClassName')]),
];

/** Checks that a volume within an attachment specifies the storage only, and no fields of independent volumes. */
function checkInlineVolume(path: string, spec: PersistentVolumeSpec): readonly FieldError[] {
  const foreign = ['claimRef', 'capacity', 'nodeAffinity', 'storageClassName'] as const;
  const only = { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' } as const;
  const where = 'in the context of inline volumes';
  return [
    ...(spec.csi === undefined ? [fieldError.required(`${path}.csi`, `has to be specified ${where}`)] : []),
    ...presentOf(spec, foreign).map((field) =>
      fieldError.forbidden(`${path}.${field}`, `may not be specified ${where}`),
    ),
    ...(['persistentVolumeReclaimPolicy', 'volumeMode'] as const)
      .filter((name) => spec[name] !== undefined && spec[name] !== only[name])
      .map((name) => fieldError.forbidden(`${path}.${name}`, `may only be ${only[name]} ${where}`)),
  ];
}

function checkCapacity(path: string, capacity: PersistentVolumeSpec['capacity']): readonly FieldError[] {
  const amounts = amountsOf(capacity);
  const other = amounts.length !== 1 || amounts[0]?.name !== 'storage';
  return [
    ...(amounts.length === 0 ? [fieldError.required(path)] : []),
    ...(other ? [fieldError.notSupported(path, capacity, ['storage'])] : []),
    ...amounts.flatMap(({ name, text, amount }) =>
      quantitySign(amount) > 0
        ? []
        : [fieldError.invalid(`${path}[${name}]`, text, 'must be greater than zero')],
    ),
  ];
}

const isRoot = (path: string): boolean => /^\/(?:\.?\/)*\.?$/.test(path);

/** For compatibility, a further flexVolume is accepted, and an error names cephfs in another case. */
function checkSource(path: string, spec: PersistentVolumeSpec): readonly FieldError[] {
  const present = presentOf(spec, volumeSources);
  if (present.length === 0) return [fieldError.required(path, 'must specify a volume type')];
  const errors = present
    .slice(1)
    .filter((field) => field !== 'flexVolume')
    .map((field) => (field === 'cephfs' ? 'cephFS' : field))
    .map((field) => fieldError.forbidden(`${path}.${field}`, 'may not specify more than 1 volume type'));
  if (present[0] === 'local' && spec.nodeAffinity?.required === undefined) {
    errors.push(fieldError.required(`${path}.nodeAffinity`, 'Local volume requires node affinity'));
  }
  const recycled = spec.persistentVolumeReclaimPolicy === 'Recycle';
  if (recycled && isRoot(spec.hostPath?.path ?? '')) {
    const why = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(fieldError.forbidden(`${path}.persistentVolumeReclaimPolicy`, why));
  }
  return errors;
}

const secretRefs = [
  'controllerPublishSecretRef',
  'nodePublishSecretRef',
  'controllerExpandSecretRef',
  'nodeExpandSecretRef',
] as const;

const secretFormats = [
  ['name', 'dns1123subdomain'],
  ['namespace', 'dns1123label'],
] as const;

/**
 * Volumes have no namespace, so references to their secrets have one. From 1.25 on, name and namespace must be valid. For
 * compatibility, the reference for staging is not read.
 */
export const checkCsiSecrets: Check<CSIPersistentVolumeSource> = (source, { path, since }) =>
  presentOf(source, secretRefs).flatMap((field) =>
    secretFormats.flatMap(([part, format]) => {
      const [at, value] = [`${path}.${field}.${part}`, source[field]?.[part] ?? ''];
      if (value === '') return [fieldError.required(at)];
      return since('1.25') ? checkFormat(format, at, value) : [];
    }),
  );

/** A volume without it may get a secret for its expansion. */
function withAddedSecret(spec: PersistentVolumeSpec, before: PersistentVolumeSpec): PersistentVolumeSpec {
  if (before.csi === undefined || before.csi.controllerExpandSecretRef !== undefined) return spec;
  const { controllerExpandSecretRef: _, ...csi } = spec.csi ?? {};
  return spec.csi === undefined ? spec : { ...spec, csi };
}

/**
 * Checks that the source, mode and node affinity of a volume are unchanged. For compatibility, their paths omit `spec`
 * or a name.
 */
export function validateVolumeUpdate(next: PersistentVolume, old: PersistentVolume): readonly FieldError[] {
  const spec = next.spec ?? {};
  const before = old.spec ?? {};
  const errors: FieldError[] = [];
  const source = withAddedSecret(spec, before);
  if (volumeSources.some((field) => !jsonEquals(source[field], before[field]))) {
    errors.push(fieldError.forbidden('spec.persistentvolumesource', 'is immutable after creation'));
  }
  if (spec.volumeMode !== before.volumeMode) {
    errors.push(fieldError.invalid('volumeMode', spec.volumeMode ?? null, 'field is immutable'));
  }
  const { volumeAttributesClassName: name } = spec;
  if (name === undefined && before.volumeAttributesClassName !== undefined) {
    const why = 'update from non-nil value to nil is forbidden';
    errors.push(fieldError.forbidden('spec.volumeAttributesClassName', why));
  }
  const { nodeAffinity } = before;
  if (nodeAffinity !== undefined && !jsonEquals(spec.nodeAffinity, nodeAffinity)) {
    errors.push(fieldError.invalid('nodeAffinity', spec.nodeAffinity ?? null, 'field is immutable'));
  }
  return errors;
}
