import { type FieldError, fieldError, parseQuantity, quantitySign } from '@orch/machinery';
import type { Check } from '@orch/schema';
import { asObject, asObjects, asStrings, asText, type JsonObject } from '../../../read.ts';
import {
  checkDescendingPath,
  checkExactlyOne,
  checkNoBacksteps,
  presentOf,
} from '../../../validation-rules.ts';
import { checkDownwardField, checkResourceField, fileFields } from '../validation/downward.ts';

/** What a volume can be made of, in the order in which a second one is noticed. */
const sources = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
] as const;

/** A volume is made of one thing. */
export const checkVolume: Check = (volume, { path }) => checkExactlyOne(path, volume, sources, 'volume type');

export const checkEmptyDir: Check = (source, { path }) => {
  const limit = asText(source['sizeLimit']);
  if (limit === '' || quantitySign(parseQuantity(limit)) >= 0) return [];
  return [fieldError.forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')];
};

export const checkHostPath: Check = (source, { path }) =>
  checkNoBacksteps(`${path}.path`, asText(source['path']));

export const checkNfs: Check = (source, { path }) => {
  const exported = asText(source['path']);
  if (exported.startsWith('/')) return [];
  return [fieldError.invalid(`${path}.path`, exported, 'must be an absolute path')];
};

/** The object that a volume shows has a name, even though references of its type need none elsewhere. */
export const checkNamed: Check = (source, { path }) =>
  asText(source['name']) === '' ? [fieldError.required(`${path}.name`)] : [];

/** Files stay inside the volume. */
export const checkKeyToPath: Check = (item, { path }) =>
  checkDescendingPath(`${path}.path`, asText(item['path']));

export const checkTokenProjection: Check = (source, { path }) =>
  checkDescendingPath(`${path}.path`, asText(source['path']));

const gitDirectory = (path: string, directory: string): readonly FieldError[] =>
  checkDescendingPath(`${path}.directory`, directory);

export const checkGitRepo: Check = (source, { path }) => gitDirectory(path, asText(source['directory']));

/** Files about the pod. Errors name the list of files as clients know it: without position. */
export const checkDownwardItems: Check = (source, { path }) =>
  asObjects(source['items']).flatMap((item) => checkDownwardItem(path, item));

function checkDownwardItem(path: string, item: JsonObject): readonly FieldError[] {
  const { fieldRef, resourceFieldRef } = item;
  const errors = [...checkDescendingPath(`${path}.path`, asText(item['path']))];
  if (fieldRef !== undefined) {
    errors.push(...checkDownwardField(`${path}.fieldRef`, asObject(fieldRef), fileFields));
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
    errors.push(...checkResourceField(`${path}.resourceFieldRef`, asObject(resourceFieldRef), 'file'));
  } else errors.push(fieldError.required(path, 'one of fieldRef and resourceFieldRef is required'));
  return errors;
}

const projections = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'] as const;

/** Where the files of one projected source go. */
function filesOf(source: JsonObject): readonly string[] {
  const listed = (['secret', 'configMap', 'downwardAPI'] as const).flatMap((name) =>
    asObjects(asObject(source[name])['items']).map((item) => asText(item['path'])),
  );
  const token = asText(asObject(source['serviceAccountToken'])['path']);
  return token === '' ? listed : [...listed, token];
}

/** Every source is one thing, and no two write the same file. */
export const checkProjected: Check = (volume, { path }) => {
  const errors: FieldError[] = [];
  const taken = new Set<string>();
  asObjects(volume['sources']).forEach((source, i) => {
    const at = `${path}.sources[${i}]`;
    for (const second of presentOf(source, projections).slice(1)) {
      errors.push(fieldError.forbidden(`${at}.${second}`, 'may not specify more than 1 volume type'));
    }
    for (const file of filesOf(source)) {
      if (taken.has(file)) errors.push(fieldError.invalid(at, file, 'conflicting duplicate paths'));
      taken.add(file);
    }
  });
  return errors;
};

/** A Fibre Channel disk is named either by target and unit, or by world wide identifiers. */
export const checkFc: Check = (source, { path }) => {
  const targets = asStrings(source['targetWWNs']).length > 0;
  const identifiers = asStrings(source['wwids']).length > 0;
  if (targets && identifiers) {
    const why = 'fc can not specify both targetWWNs and wwids simultaneously';
    return [fieldError.invalid(`${path}.targetWWNs`, source['targetWWNs'], why)];
  }
  if (!targets && !identifiers) {
    return [fieldError.required(`${path}.targetWWNs`, 'must specify either targetWWNs or wwids')];
  }
  if (!targets) return [];
  const lun = source['lun'];
  if (lun === undefined)
    return [fieldError.required(`${path}.lun`, 'lun is required if targetWWNs is specified')];
  const fits = typeof lun === 'number' && lun >= 0 && lun <= 255;
  return fits ? [] : [fieldError.invalid(`${path}.lun`, lun, 'must be between 0 and 255, inclusive')];
};

/** A Flocker volume is named either by name or by identity. */
export const checkFlocker: Check = (source, { path }) => {
  const name = asText(source['datasetName']);
  const uuid = asText(source['datasetUUID']);
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

/** Targets and initiators have one of the forms that iSCSI knows. */
export const checkIscsi: Check = (source, { path }) => {
  const wrong = (member: string): readonly FieldError[] => {
    const text = asText(source[member]);
    if (text === '' || qualifiedTarget.test(text)) return [];
    return [fieldError.invalid(`${path}.${member}`, text, 'must be valid format')];
  };
  const usesChap = source['chapAuthDiscovery'] === true || source['chapAuthSession'] === true;
  const secret =
    usesChap && source['secretRef'] === undefined ? [fieldError.required(`${path}.secretRef`)] : [];
  return [...wrong('iqn'), ...secret, ...wrong('initiatorName')];
};

/** An Azure disk is where its kind says that it is. */
export const checkAzureDisk: Check = (source, { path }) => {
  const uri = asText(source['diskURI']);
  const start = source['kind'] === 'Managed' ? '/subscriptions/' : 'https://';
  if (uri === '' || uri.startsWith(start)) return [];
  return [fieldError.notSupported(`${path}.diskURI`, uri, [`${start}…`])];
};
