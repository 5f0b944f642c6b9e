import { f, struct } from '@orch/schema';
import { ObjectFieldSelector, ResourceFieldSelector } from '../field-selectors.ts';
import { LocalObjectReference } from '../references.ts';
import {
  checkEnvSource,
  checkEnvVar,
  checkFileKey,
  checkKeySelector,
  checkPrefix,
} from './validation/env.ts';

export const ConfigMapKeySelector = struct(
  'core.v1.ConfigMapKeySelector',
  'Names a key of a config map.',
  {
    localObjectReference: f.inline(1, LocalObjectReference, { protoName: 'localObjectReference' }),
    key: f.string(2, { doc: 'The key.', presence: 'always', required: true, format: 'configMapKey' }),
    optional: f.bool(3, { doc: 'The config map or key may be missing.', presence: 'pointer' }),
  },
  { mapType: 'atomic', checks: [checkKeySelector] },
);

export const SecretKeySelector = struct(
  'core.v1.SecretKeySelector',
  'Names a key of a secret.',
  {
    localObjectReference: f.inline(1, LocalObjectReference, { protoName: 'localObjectReference' }),
    key: f.string(2, { doc: 'The key.', presence: 'always', required: true, format: 'configMapKey' }),
    optional: f.bool(3, { doc: 'The secret or key may be missing.', presence: 'pointer' }),
  },
  { mapType: 'atomic', checks: [checkKeySelector] },
);

export const FileKeySelector = struct(
  'core.v1.FileKeySelector',
  'Names a key of a file in a volume of the pod.',
  {
    volumeName: f.string(1, {
      doc: 'Name of the volume.',
      presence: 'always',
      required: true,
      format: 'dns1123label',
    }),
    path: f.string(2, {
      doc: 'Path of the file, relative to the volume.',
      presence: 'always',
      required: true,
    }),
    key: f.string(3, { doc: 'The key.', presence: 'always', required: true, format: 'printableVarName' }),
    optional: f.bool(4, { doc: 'The file or key may be missing.', presence: 'pointer', default: false }),
  },
  { mapType: 'atomic', checks: [checkFileKey] },
);

export const EnvVarSource = struct(
  'core.v1.EnvVarSource',
  'Where the value of an environment variable comes from; one field is set.',
  {
    fieldRef: f.struct(1, ObjectFieldSelector, { doc: 'A field of the pod.', presence: 'pointer' }),
    resourceFieldRef: f.struct(2, ResourceFieldSelector, {
      doc: 'A limit or request of a container.',
      presence: 'pointer',
    }),
    configMapKeyRef: f.struct(3, ConfigMapKeySelector, {
      doc: 'A key of a config map.',
      presence: 'pointer',
    }),
    secretKeyRef: f.struct(4, SecretKeySelector, { doc: 'A key of a secret.', presence: 'pointer' }),

    fileKeyRef: f.struct(5, FileKeySelector, {
      doc: 'A key of a file in a volume.',
      presence: 'pointer',
      since: '1.35',
      gate: 'EnvFiles',
    }),
  },
);

export const EnvVar = struct(
  'core.v1.EnvVar',
  'One environment variable.',
  {
    name: f.string(1, {
      doc: 'Name of the variable.',
      presence: 'always',
      required: true,
    }),
    value: f.string(2, {
      doc: 'The value; `$(NAME)` stands for variables defined before, `$$` for a dollar sign.',
    }),
    valueFrom: f.struct(3, EnvVarSource, {
      doc: 'Where the value comes from, instead of value.',
      presence: 'pointer',
    }),
  },
  { checks: [checkEnvVar] },
);

export const ConfigMapEnvSource = struct(
  'core.v1.ConfigMapEnvSource',
  'Names a config map whose keys become environment variables.',
  {
    localObjectReference: f.inline(1, LocalObjectReference, { protoName: 'localObjectReference' }),
    optional: f.bool(2, { doc: 'The config map may be missing.', presence: 'pointer' }),
  },
  { checks: [checkEnvSource] },
);

export const SecretEnvSource = struct(
  'core.v1.SecretEnvSource',
  'Names a secret whose keys become environment variables.',
  {
    localObjectReference: f.inline(1, LocalObjectReference, { protoName: 'localObjectReference' }),
    optional: f.bool(2, { doc: 'The secret may be missing.', presence: 'pointer' }),
  },
  { checks: [checkEnvSource] },
);

export const EnvFromSource = struct(
  'core.v1.EnvFromSource',
  'Defines an environment variable for every key of an object.',
  {
    prefix: f.string(1, { doc: 'Put before every key.' }),
    configMapRef: f.struct(2, ConfigMapEnvSource, { doc: 'The config map to use.', presence: 'pointer' }),
    secretRef: f.struct(3, SecretEnvSource, { doc: 'The secret to use.', presence: 'pointer' }),
  },
  { checks: [checkPrefix] },
);
