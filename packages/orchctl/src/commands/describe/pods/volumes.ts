import type { kinds } from '@orch/client';
import type { Names } from '@orch/machinery';
import { asStringMap, isJsonObject } from '@orch/machinery/json';
import type { Description } from '../text/description.ts';
import { attributeTexts } from '../text/metadata.ts';
import { describeClaimTemplate } from './claim.ts';
import { type SourcePlace, type SourceText, sourceTexts, titles } from './volume-sources.ts';

type Volume = kinds.core.Volume;
type Ephemeral = kinds.core.EphemeralVolumeSource;
type PersistentVolumeSpec = kinds.core.PersistentVolumeSpec;

export interface VolumeList {
  readonly volumes: readonly Volume[] | undefined;
  readonly names: Names;
}

/** The volumes of a pod. `margin` is before the title, for templates. */
export function describeVolumes(out: Description, { volumes, names }: VolumeList, margin = ''): void {
  if (volumes === undefined || volumes.length === 0) {
    out.raw(`${margin}Volumes:\t<none>\n`);
    return;
  }
  out.raw(`${margin}Volumes:\n`);
  for (const volume of volumes) {
    out.line(1, `${margin === '' ? '' : ' '}${volume.name}:`);
    if (volume.ephemeral === undefined) describeSource(out, volume, 'pod');
    else describeEphemeral(out, volume.ephemeral, names);
  }
}

/** The source of a volume. */
export function describeSource(
  out: Description,
  volume: Volume | PersistentVolumeSpec,
  place: SourcePlace,
): void {
  for (const [name, source] of Object.entries(volume)) {
    const textOf = sourceTexts[name];
    if (textOf === undefined || !isJsonObject(source)) continue;
    describeFields(out, textOf(source, place));
    if (name === 'csi') describeAttributes(out, source['volumeAttributes']);
    return;
  }
  describeOtherSource(out, volume as Volume);
}

function describeFields(out: Description, { type, fields }: SourceText): void {
  out.field(2, 'Type', type);
  out.fields(2, fields);
}

function describeAttributes(out: Description, attributes: unknown): void {
  const texts = attributeTexts(asStringMap(attributes)).map((text) => `    ${text}`);
  out.list('    VolumeAttributes', texts, '        ');
}

/** Sources that are described by lists. */
function describeOtherSource(out: Description, volume: Volume): void {
  const { projected, downwardAPI } = volume;
  if (downwardAPI !== undefined) {
    out.field(2, 'Type', titles.downwardAPI);
    out.line(2, 'Items:');
    for (const { fieldRef, resourceFieldRef, path } of downwardAPI.items ?? [])
      out.line(3, `${fieldRef?.fieldPath ?? resourceFieldRef?.resource ?? ''} -> ${path}`);
  } else if (projected !== undefined) {
    out.field(2, 'Type', titles.projected);
    for (const source of projected.sources ?? []) describeProjection(out, source);
  } else out.line(1, '<unknown>');
}

function describeEphemeral(out: Description, { volumeClaimTemplate }: Ephemeral, names: Names): void {
  out.field(2, 'Type', titles.ephemeral);
  if (volumeClaimTemplate !== undefined) describeClaimTemplate(out, volumeClaimTemplate, names);
}

function describeProjection(out: Description, source: kinds.core.VolumeProjection): void {
  const { secret, configMap, downwardAPI, serviceAccountToken } = source;
  if (secret !== undefined)
    out.fields(2, { SecretName: secret.name ?? '', Optional: secret.optional === true });
  else if (downwardAPI !== undefined) out.field(2, 'DownwardAPI', true);
  else if (configMap !== undefined)
    out.fields(2, { ConfigMapName: configMap.name ?? '', Optional: configMap.optional === true });
  else if (serviceAccountToken !== undefined)
    out.field(2, 'TokenExpirationSeconds', serviceAccountToken.expirationSeconds ?? 0);
}
