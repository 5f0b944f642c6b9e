import type { PodSecurityPolicySpecV1beta1 } from '@orch/kinds/policy';
import { type FieldError, fieldError } from '@orch/machinery';
import { dns1123subdomain } from '@orch/machinery/formats';
import type { Check } from '@orch/schema';
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
];

const checkVolumeKinds = (path: string, kinds: readonly string[]): readonly FieldError[] =>
  kinds.flatMap((kind, i) =>
    volumeKinds.includes(kind) ? [] : [fieldError.notSupported(`${path}[${i}]`, kind, volumeKinds)],
  );

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
  const usual = options.defaultRuntimeClassName ?? '';
  const at = `${path}.allowedRuntimeClassNames`;
  const errors = allowed.flatMap((name, i) => {
    if (name === all) {
      const why = "if '*' is present, must not specify other RuntimeClass names";
      return allowed.length > 1 ? [fieldError.invalid(at, allowed, why)] : [];
    }
    const wrong = dns1123subdomain(name);
    return wrong === undefined ? [] : [fieldError.invalid(`${at}[${i}]`, name, wrong)];
  });
  if (usual === '' || allowed.includes(usual) || allowed.includes(all)) return errors;
  return [...errors, fieldError.required(at, `default "${usual}" must be allowed`)];
}
