import type { kinds } from '@orch/client';
import type { Names, ObjectMeta } from '@orch/machinery';
import type { Description } from '../text/description.ts';
import { pairsOf } from '../text/values.ts';

type Spec = kinds.core.PersistentVolumeClaimSpec;

/** The name of the storage class of a claim or volume: of an annotation before that of the field. */
export const storageClassOf = (
  { annotations = {} }: ObjectMeta,
  storageClassName: string | undefined,
  names: Pick<Names, 'annotations'>,
): string => annotations[names.annotations.betaStorageClass] ?? storageClassName ?? '';

const modes = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

/** `RWO,ROX`. */
export const accessModesText = (given: readonly string[] | undefined): string =>
  modes.flatMap(([mode, text]) => (given?.includes(mode) ? [text] : [])).join(',');

/** The lines after the capacity in the description of a claim. */
export function describeClaimSource(out: Description, level: number, { volumeMode, dataSource }: Spec): void {
  if (volumeMode !== undefined) out.field(level, 'VolumeMode', volumeMode);
  if (dataSource === undefined) return;
  out.line(level, 'DataSource:');
  const { apiGroup, kind, name } = dataSource;
  if (apiGroup !== undefined && apiGroup !== null) out.field(level + 1, 'APIGroup', apiGroup);
  out.fields(level + 1, { Kind: kind, Name: name });
}

/** The template of the claim of an ephemeral volume. */
export function describeClaimTemplate(
  out: Description,
  { metadata = {}, spec }: kinds.core.PersistentVolumeClaimTemplate,
  names: Names,
): void {
  out.field(2, 'StorageClass', storageClassOf(metadata, spec.storageClassName, names));
  out.field(2, 'Volume', spec.volumeName ?? '');
  const annotations = Object.entries(metadata.annotations ?? {}).map(([key, value]) => `${key}: ${value}`);
  describeNested(out, 'Labels', pairsOf(metadata.labels));
  describeNested(out, 'Annotations', annotations.toSorted());
  out.fields(2, { Capacity: '', 'Access Modes': '' });
  describeClaimSource(out, 2, spec);
}

/** Values of a list within a list are indented as the title is. */
function describeNested(out: Description, title: string, values: readonly string[]): void {
  const shown = values.length === 0 ? ['<none>'] : values;
  out.list(
    `    ${title}`,
    shown.map((value) => `    ${value}`),
    '        ',
  );
}
