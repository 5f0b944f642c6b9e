import type {
  AzureDiskVolumeSource,
  ConfigMapVolumeSource,
  DownwardAPIVolumeFile,
  DownwardAPIVolumeSource,
  EmptyDirVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GitRepoVolumeSource,
  HostPathVolumeSource,
  ImageVolumeSource,
  ISCSIPersistentVolumeSource,
  KeyToPath,
  NFSVolumeSource,
  ProjectedVolumeSource,
  QuobyteVolumeSource,
  SecretReference,
  ServiceAccountTokenProjection,
  Volume,
  VolumeProjection,
} from '@orch/kinds/core';
import { type FieldError, fieldError } from '@orch/machinery';
import { parseQuantity, quantitySign } from '@orch/machinery/quantity';
import type { Check } from '@orch/schema';
import {
  checkDescendingPath,
  checkExactlyOne,
  checkNoBacksteps,
  presentOf,
} from '../../../validation-rules.ts';
import { checkDownwardField, checkResourceField, fileFields } from '../validation/downward.ts';
import { podSources } from './source-order.ts';

const spellings = { downwardAPI: 'downwarAPI', cephfs: 'cephFS' };

/** A volume has exactly one source. For compatibility, errors about some further ones have another spelling. */
export const checkVolume: Check<Volume> = (volume, { path }) =>
  checkExactlyOne(path, volume, podSources, 'volume type').map((error) => {
    const other = Object.entries(spellings).find(([name]) => error.field === `${path}.${name}`);
    return other === undefined ? error : { ...error, field: `${path}.${other[1]}` };
  });

const MAX_TENANT = 64;
const registry = /^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/;

/** Checks the addresses of registries, each with a port, and the length of the tenant. */
export const checkRegistry: Check<QuobyteVolumeSource> = (source, { path }) => {
  const addresses = source.registry ?? '';
  if (addresses === '') return [];
  if (Buffer.byteLength(source.tenant ?? '') > MAX_TENANT)
    return [
      fieldError.required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'),
    ];
  const why = 'must be a host:port pair or multiple pairs separated by commas';
  return addresses.split(',').every((address) => registry.test(address))
    ? []
    : [fieldError.invalid(`${path}.registry`, addresses, why)];
};

export const checkEmptyDir: Check<EmptyDirVolumeSource> = (source, { path }) => {
  const limit = source.sizeLimit ?? '';
  if (limit === '' || quantitySign(parseQuantity(limit)) >= 0) return [];
  return [fieldError.forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')];
};

export const checkHostPath: Check<HostPathVolumeSource> = (source, { path }) =>
  checkNoBacksteps(`${path}.path`, source.path ?? '');

export const checkNfs: Check<NFSVolumeSource> = (source, { path }) => {
  const exported = source.path ?? '';
  if (exported.startsWith('/')) return [];
  return [fieldError.invalid(`${path}.path`, exported, 'must be an absolute path')];
};

/** Checks that the object of a volume has a name, although references of its type do not require one elsewhere. */
export const checkNamed: Check<ConfigMapVolumeSource> = (source, { path }) =>
  (source.name ?? '') === '' ? [fieldError.required(`${path}.name`)] : [];

/** Checks that a new image has a name: in templates only from 1.37 on. */
export const checkImageSource: Check<ImageVolumeSource> = (source, { path, old, since }) => {
  const isRequired = path.startsWith('spec.volumes[') || since('1.37');
  return !isRequired ||
    (source.reference ?? '') !== '' ||
    (old !== undefined && old.reference === source.reference)
    ? []
    : [fieldError.required(`${path}.reference`)];
};

/** Checks that files stay inside the volume. */
export const checkKeyToPath: Check<KeyToPath> = (item, { path }) =>
  checkDescendingPath(`${path}.path`, item.path ?? '');

export const checkTokenProjection: Check<ServiceAccountTokenProjection> = (source, { path }) =>
  checkDescendingPath(`${path}.path`, source.path ?? '');

const gitDirectory = (path: string, directory: string): readonly FieldError[] =>
  checkDescendingPath(`${path}.directory`, directory);

export const checkGitRepo: Check<GitRepoVolumeSource> = (source, { path }) =>
  gitDirectory(path, source.directory ?? '');

/** Checks files with fields of the pod. For compatibility, errors name the list of files without an index. */
export const checkDownwardItems: Check<DownwardAPIVolumeSource> = (source, { path }) =>
  (source.items ?? []).flatMap((item) => checkDownwardItem(path, item));

function checkDownwardItem(path: string, item: DownwardAPIVolumeFile): readonly FieldError[] {
  const { fieldRef, resourceFieldRef } = item;
  const errors = [...checkDescendingPath(`${path}.path`, item.path ?? '')];
  if (fieldRef !== undefined) {
    errors.push(...checkDownwardField(`${path}.fieldRef`, fieldRef, fileFields));
    if (resourceFieldRef !== undefined) {
      errors.push(
        fieldError.invalid(
          path,
          'resource',
          'fieldRef and resourceFieldRef can not be specified simultaneously',
        ),
      );
    }
  } else if (resourceFieldRef !== undefined) {
    errors.push(...checkResourceField(`${path}.resourceFieldRef`, resourceFieldRef, 'file'));
  } else errors.push(fieldError.required(path, 'one of fieldRef and resourceFieldRef is required'));
  return errors;
}

const projections = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
] as const;

/** The paths of the files of one projected source. For compatibility, that of a token is not compared with the others. */
function filesOf(source: VolumeProjection): readonly string[] {
  const files: string[] = [];
  for (const name of ['secret', 'configMap', 'downwardAPI'] as const)
    for (const item of source[name]?.items ?? []) files.push(item.path ?? '');
  const { clusterTrustBundle: bundle, podCertificate: certificate } = source;
  if (bundle?.path !== undefined && bundle.path !== '') files.push(bundle.path);
  if (certificate === undefined) return files;
  const { credentialBundlePath, keyPath, certificateChainPath } = certificate;
  for (const path of [credentialBundlePath, keyPath, certificateChainPath])
    if (path !== undefined && path !== '') files.push(path);
  return files;
}

/** Checks that every source has one type, and that no two write the same file. */
export const checkProjected: Check<ProjectedVolumeSource> = (volume, { path }) => {
  const errors: FieldError[] = [];
  const taken = new Set<string>();
  (volume.sources ?? []).forEach((source, i) => {
    const at = `${path}.sources[${i}]`;
    if (presentOf(source, projections).length > 1)
      errors.push(fieldError.forbidden(at, 'may not specify more than 1 volume type per source'));
    for (const file of filesOf(source)) {
      if (taken.has(file)) errors.push(fieldError.invalid(path, file, 'conflicting duplicate paths'));
      taken.add(file);
    }
  });
  return errors;
};

/** Checks that a Fibre Channel disk is identified either by target and LUN, or by world wide identifiers. */
export const checkFc: Check<FCVolumeSource> = (source, { path }) => {
  const targets = (source.targetWWNs ?? []).length > 0;
  const identifiers = (source.wwids ?? []).length > 0;
  if (targets && identifiers) {
    const why = 'fc can not specify both targetWWNs and wwids simultaneously';
    return [fieldError.invalid(`${path}.targetWWNs`, source.targetWWNs, why)];
  }
  if (!targets && !identifiers) {
    return [fieldError.required(`${path}.targetWWNs`, 'must specify either targetWWNs or wwids')];
  }
  if (!targets) return [];
  const lun = source.lun;
  if (lun === undefined)
    return [fieldError.required(`${path}.lun`, 'lun is required if targetWWNs is specified')];
  const fits = typeof lun === 'number' && lun >= 0 && lun <= 255;
  return fits ? [] : [fieldError.invalid(`${path}.lun`, lun, 'must be between 0 and 255, inclusive')];
};

/** Checks that a Flocker volume is identified either by name or by UUID. */
export const checkFlocker: Check<FlockerVolumeSource> = (source, { path }) => {
  const name = source.datasetName ?? '';
  const uuid = source.datasetUUID ?? '';
  if (name === '' && uuid === '') {
    return [fieldError.required(path, 'one of datasetName and datasetUUID is required')];
  }
  const errors: FieldError[] = [];
  if (name !== '' && uuid !== '') {
    errors.push(
      fieldError.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'),
    );
  }
  if (name.includes('/'))
    errors.push(fieldError.invalid(`${path}.datasetName`, name, "must not contain '/'"));
  return errors;
};

const qualifiedTarget =
  /^(?:iqn\.\d{4}-\d{2}\.[\w.-]+(?::.*)?|eui\.[0-9A-Fa-f]{16}|naa\.(?:[0-9A-Fa-f]{16}|[0-9A-Fa-f]{32}))$/;

/** Checks that targets and initiators have one of the name formats of iSCSI; for compatibility, in a path in lower case. */
export const checkIscsi: Check<ISCSIPersistentVolumeSource> = (source, { path }) => {
  const wrong = (field: string, text: string | undefined): readonly FieldError[] =>
    text === undefined || qualifiedTarget.test(text)
      ? []
      : [fieldError.invalid(`${path}.${field}`, text, 'must be valid format')];
  const usesChap = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  const secret = usesChap && source.secretRef === undefined ? [fieldError.required(`${path}.secretRef`)] : [];
  return [
    ...wrong('iqn', source.iqn || undefined),
    ...secret,
    ...wrong('initiatorname', source.initiatorName),
  ];
};

/** Checks that the secret of a source has a name and, if volumes have no namespace of their own, a namespace. */
export const checkSecretName =
  (parts: readonly ('name' | 'namespace')[]): Check<{ readonly secretRef?: SecretReference }> =>
  ({ secretRef }, { path }) =>
    parts
      .filter((part) => secretRef !== undefined && (secretRef[part] ?? '') === '')
      .map((part) => fieldError.required(`${path}.secretRef.${part}`));

/** Checks that the URI of an Azure disk matches its kind. */
export const checkAzureDisk: Check<AzureDiskVolumeSource> = (source, { path }) => {
  const uri = source.diskURI ?? '';
  const start = source.kind === 'Managed' ? '/subscriptions/' : 'https://';
  if (uri === '' || uri.startsWith(start)) return [];
  return [fieldError.notSupported(`${path}.diskURI`, uri, [`${start}…`])];
};
