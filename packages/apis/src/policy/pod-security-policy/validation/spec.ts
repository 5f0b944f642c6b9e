import type { PodSecurityPolicySpecV1beta1 } from '@orch/kinds/policy';
import { type FieldError, fieldError } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { checkFormat, checkNoBacksteps } from '../../../validation-rules.ts';
import { checkSysctls } from './sysctls.ts';

const all = '*';

/** Kinds of volumes that a policy can allow. */
const volumeKinds: readonly string[] = [
  all,
  'awsElasticBlockStore',
  'azureDisk',
  'azureFile',
  'cephFS',
  'cinder',
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'glusterfs',
  'hostPath',
  'iscsi',
  'nfs',
  'persistentVolumeClaim',
  'photonPersistentDisk',
  'portworxVolume',
  'projected',
  'quobyte',
  'rbd',
  'scaleIO',
  'secret',
  'storageos',
  'vsphereVolume',
];

/** Checks the rules that span fields of a policy. */
export const checkPolicySpec: Check<PodSecurityPolicySpecV1beta1> = (spec, { path }) => [
  ...checkVolumeKinds(`${path}.volumes`, spec.volumes ?? []),
  ...checkCapabilities(path, spec),
  ...checkEscalation(path, spec),
  ...checkSysctls(path, spec),
  ...checkRuntimeClasses(`${path}.runtimeClass`, spec.runtimeClass),
  ...checkHostPaths(`${path}.allowedHostPaths`, spec.allowedHostPaths ?? []),
];

/** Checks that prefixes are set and do not lead upwards. Those after one that is missing are not checked. */
function checkHostPaths(
  path: string,
  allowed: NonNullable<PodSecurityPolicySpecV1beta1['allowedHostPaths']>,
): readonly FieldError[] {
  const missing = allowed.findIndex(({ pathPrefix = '' }) => pathPrefix === '');
  const set = missing < 0 ? allowed : allowed.slice(0, missing);
  return [
    ...set.flatMap(({ pathPrefix = '' }, i) => checkNoBacksteps(`${path}[${i}]`, pathPrefix)),
    ...(missing < 0 ? [] : [fieldError.required(`${path}[${missing}]`, 'is required')]),
  ];
}

const checkVolumeKinds = (path: string, kinds: readonly string[]): readonly FieldError[] =>
  kinds
    .filter((kind) => !volumeKinds.includes(kind))
    .map((kind) => fieldError.notSupported(path, kind, volumeKinds));

/** A required drop capability can be neither a default nor an allowed one. */
function checkCapabilities(path: string, spec: PodSecurityPolicySpecV1beta1): readonly FieldError[] {
  const dropped = spec.requiredDropCapabilities ?? [];
  const allowed = spec.allowedCapabilities ?? [];
  if (dropped.length > 0 && allowed.includes(all)) {
    const why = 'must be empty when all capabilities are allowed by a wildcard';
    return [fieldError.invalid(`${path}.requiredDropCapabilities`, dropped, why)];
  }
  const required = new Set(dropped);
  return (['defaultAddCapabilities', 'allowedCapabilities'] as const).flatMap((list) =>
    (spec[list] ?? [])
      .filter((capability) => required.has(capability))
      .map((capability) =>
        fieldError.invalid(
          `${path}.${list}`,
          capability,
          `capability is listed in ${list} and requiredDropCapabilities`,
        ),
      ),
  );
}

function checkEscalation(path: string, spec: PodSecurityPolicySpecV1beta1): readonly FieldError[] {
  const { allowPrivilegeEscalation: allowed, defaultAllowPrivilegeEscalation: usual } = spec;
  if (usual !== true || allowed !== false) return [];
  const why =
    'Cannot set DefaultAllowPrivilegeEscalation to true without also setting AllowPrivilegeEscalation to true';
  return [fieldError.invalid(`${path}.defaultAllowPrivilegeEscalation`, usual, why)];
}

/** Checks that classes are all, or valid names, and include the default for pods. */
function checkRuntimeClasses(
  path: string,
  options: PodSecurityPolicySpecV1beta1['runtimeClass'],
): readonly FieldError[] {
  if (options === undefined) return [];
  const allowed = options.allowedRuntimeClassNames ?? [];
  const usual = options.defaultRuntimeClassName;
  const at = `${path}.allowedRuntimeClassNames`;
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, name] of allowed.entries()) {
    if (name !== all) errors.push(...checkFormat('dns1123subdomain', `${at}[${i}]`, name));
    if (seen.has(name)) errors.push(fieldError.duplicate(`${at}[${i}]`, name));
    seen.add(name);
  }
  if (usual !== undefined) {
    errors.push(...checkFormat('dns1123subdomain', `${path}.defaultRuntimeClassName`, usual));
    if (!seen.has(usual) && !seen.has(all))
      errors.push(fieldError.required(at, `default "${usual}" must be allowed`));
  }
  if (seen.has(all) && allowed.length > 1) {
    const why = "if '*' is present, must not specify other RuntimeClass names";
    errors.push(fieldError.invalid(at, allowed, why));
  }
  return errors;
}
