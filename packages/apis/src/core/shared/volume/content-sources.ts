import { f, struct } from '@orch/schema';
import { ObjectFieldSelector, ResourceFieldSelector } from '../field-selectors.ts';
import { policyOfImage } from '../image-policy.ts';
import { LocalObjectReference } from '../references.ts';
import { ClusterTrustBundleProjection, PodCertificateProjection } from './certificate-projections.ts';
import { PersistentVolumeClaimTemplate } from './claim-spec.ts';
import {
  defaultModeField,
  defaultUserField,
  fileModeField,
  fileUserField,
  readOnlyField,
} from './source-fields.ts';
import {
  checkDownwardItems,
  checkEmptyDir,
  checkGitRepo,
  checkImageSource,
  checkKeyToPath,
  checkNamed,
  checkProjected,
  checkTokenProjection,
} from './validation.ts';

export const KeyToPath = struct(
  'core.v1.KeyToPath',
  'Writes the value of one key to a file.',
  {
    key: f.string(1, { doc: 'Key to use.', presence: 'always', required: true }),
    path: f.string(2, { doc: 'File to write, relative to the volume.', presence: 'always', required: true }),
    mode: fileModeField(3),
    user: fileUserField(4),
  },
  { checks: [checkKeyToPath] },
);

export const SecretVolumeSource = struct(
  'core.v1.SecretVolumeSource',
  'Files with the values of a secret, one per key.',
  {
    secretName: f.string(1, { doc: 'Name of the secret.', required: true }),
    items: f.list(2, KeyToPath, { doc: 'Keys to use, and the paths of their files; all keys when empty.' }),
    defaultMode: defaultModeField(3),
    optional: f.bool(4, { doc: 'The secret, or keys of it, may be missing.', presence: 'pointer' }),
    defaultUser: defaultUserField(5),
  },
);

export const ConfigMapVolumeSource = struct(
  'core.v1.ConfigMapVolumeSource',
  'Files with the values of a config map, one per key.',
  {
    localObjectReference: f.inline(1, LocalObjectReference, { protoName: 'localObjectReference' }),
    items: f.list(2, KeyToPath, { doc: 'Keys to use, and the paths of their files; all keys when empty.' }),
    defaultMode: defaultModeField(3),
    optional: f.bool(4, { doc: 'The config map, or keys of it, may be missing.', presence: 'pointer' }),
    defaultUser: defaultUserField(5),
  },
  { checks: [checkNamed] },
);

export const DownwardAPIVolumeFile = struct(
  'core.v1.DownwardAPIVolumeFile',
  'A file with a field, limit or request of the pod.',
  {
    path: f.string(1, { doc: 'File to write, relative to the volume.', presence: 'always', required: true }),
    fieldRef: f.struct(2, ObjectFieldSelector, { doc: 'Field of the pod.', presence: 'pointer' }),
    resourceFieldRef: f.struct(3, ResourceFieldSelector, {
      doc: 'Resource limit or request of a container.',
      presence: 'pointer',
    }),
    mode: fileModeField(4),
    user: fileUserField(5),
  },
);

export const DownwardAPIVolumeSource = struct(
  'core.v1.DownwardAPIVolumeSource',
  'Fields of the pod, each as a file.',
  {
    items: f.list(1, DownwardAPIVolumeFile, { doc: 'The files.' }),
    defaultMode: defaultModeField(2),
    defaultUser: defaultUserField(3),
  },
  { checks: [checkDownwardItems] },
);

export const SecretProjection = struct(
  'core.v1.SecretProjection',
  'Keys of a secret as part of a projected volume.',
  {
    localObjectReference: f.inline(1, LocalObjectReference, { protoName: 'localObjectReference' }),
    items: f.list(2, KeyToPath, { doc: 'Keys to use, and the paths of their files; all keys when empty.' }),
    optional: f.bool(4, { doc: 'The secret, or keys of it, may be missing.', presence: 'pointer' }),
  },
  { checks: [checkNamed] },
);

export const ConfigMapProjection = struct(
  'core.v1.ConfigMapProjection',
  'Keys of a config map as part of a projected volume.',
  {
    localObjectReference: f.inline(1, LocalObjectReference, { protoName: 'localObjectReference' }),
    items: f.list(2, KeyToPath, { doc: 'Keys to use, and the paths of their files; all keys when empty.' }),
    optional: f.bool(4, { doc: 'The config map, or keys of it, may be missing.', presence: 'pointer' }),
  },
  { checks: [checkNamed] },
);

export const DownwardAPIProjection = struct(
  'core.v1.DownwardAPIProjection',
  'Fields of the pod as part of a projected volume.',
  {
    items: f.list(1, DownwardAPIVolumeFile, { doc: 'The files.' }),
  },
  { checks: [checkDownwardItems] },
);

export const ServiceAccountTokenProjection = struct(
  'core.v1.ServiceAccountTokenProjection',
  "A token of the pod's service account as part of a projected volume, renewed before it expires.",
  {
    audience: f.string(1, { doc: 'Intended audience of the token; the API server when empty.' }),
    expirationSeconds: f.int64(2, {
      doc: 'Lifetime of the token.',
      presence: 'pointer',
      default: 3600,
      min: 600,
      max: 4294967296,
    }),
    path: f.string(3, { doc: 'File to write, relative to the volume.', presence: 'always', required: true }),
    user: fileUserField(4),
  },
  { checks: [checkTokenProjection] },
);

export const VolumeProjection = struct(
  'core.v1.VolumeProjection',
  'One source of a projected volume; one field is set.',
  {
    secret: f.struct(1, SecretProjection, { doc: 'A secret.', presence: 'pointer' }),
    downwardAPI: f.struct(2, DownwardAPIProjection, {
      doc: 'Fields of the pod.',
      presence: 'pointer',
    }),
    configMap: f.struct(3, ConfigMapProjection, { doc: 'A config map.', presence: 'pointer' }),
    serviceAccountToken: f.struct(4, ServiceAccountTokenProjection, {
      doc: "A token of the pod's service account.",
      presence: 'pointer',
    }),

    clusterTrustBundle: f.struct(5, ClusterTrustBundleProjection, {
      doc: 'Certificates of trust bundles.',
      presence: 'pointer',
      since: '1.37',
      gate: 'ClusterTrustBundleProjection',
    }),
    podCertificate: f.struct(6, PodCertificateProjection, {
      doc: 'A key and its certificate.',
      presence: 'pointer',
      since: '1.37',
      gate: 'PodCertificateRequest',
    }),
  },
);

export const ProjectedVolumeSource = struct(
  'core.v1.ProjectedVolumeSource',
  'The sources, and the permissions of their files.',
  {
    sources: f.list(1, VolumeProjection, { doc: 'The sources.', presence: 'always', openapiRequired: false }),
    defaultMode: defaultModeField(2),
    defaultUser: defaultUserField(3),
  },
  { checks: [checkProjected] },
);

export const EmptyDirVolumeSource = struct(
  'core.v1.EmptyDirVolumeSource',
  'An initially empty directory that exists as long as the pod.',
  {
    medium: f.string(1, { doc: "Storage medium: the node's disk when empty, or Memory or HugePages." }),
    sizeLimit: f.quantity(2, { doc: 'Maximum size.', presence: 'pointer' }),
    mode: f.int32(3, {
      doc: 'Permission bits of the directory.',
      presence: 'pointer',
      min: 0,
      max: 0o1777,
      since: 'never',
      gate: 'EmptyDirVolumeMode',
    }),
  },
  { checks: [checkEmptyDir] },
);

export const GitRepoVolumeSource = struct(
  'core.v1.GitRepoVolumeSource',
  'A directory with a checkout. Deprecated: fetch in an init container instead.',
  {
    repository: f.string(1, { doc: 'Address of the repository.', presence: 'always', required: true }),
    revision: f.string(2, { doc: 'Commit to check out.' }),
    directory: f.string(3, { doc: 'Directory to check out into.' }),
  },
  { checks: [checkGitRepo] },
);

export const PersistentVolumeClaimVolumeSource = struct(
  'core.v1.PersistentVolumeClaimVolumeSource',
  'The volume that a claim of the same namespace is bound to.',
  {
    claimName: f.string(1, { doc: 'Name of the claim.', presence: 'always', required: true }),
    readOnly: readOnlyField(2),
  },
);

export const EphemeralVolumeSource = struct(
  'core.v1.EphemeralVolumeSource',
  'A claim that is created and deleted with the pod.',
  {
    volumeClaimTemplate: f.struct(1, PersistentVolumeClaimTemplate, {
      doc: 'Template of the claim.',
      presence: 'pointer',
      required: true,
    }),
  },
);

export const ImageVolumeSource = struct(
  'core.v1.ImageVolumeSource',
  'An image or artifact whose content is mounted.',
  {
    reference: f.string(1, { doc: 'Name of the image; required in pods.' }),
    pullPolicy: f.string(2, {
      doc: 'When it is fetched: Always, Never or IfNotPresent.',
      default: ({ reference }: { readonly reference?: string }) => policyOfImage(reference ?? ''),
      enum: ['Always', 'IfNotPresent', 'Never'],
    }),
  },
  { checks: [checkImageSource] },
);
