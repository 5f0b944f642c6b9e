import type { Names, ObjectMeta } from '@orch/machinery';
import type { Description } from './description.ts';
import { pairsOf, sortedEntries } from './values.ts';

/** The value of an annotation is on separate lines if it is longer than this together with its key. */
const MAX_LENGTH = 140;

const shortened = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}...` : text;

/** Name, labels and annotations; also the namespace, for namespaced kinds. */
export function describeMetadata(
  out: Description,
  { metadata, names }: Described,
  hasNamespace = true,
): void {
  out.field(0, 'Name', metadata.name ?? '');
  if (hasNamespace) out.field(0, 'Namespace', metadata.namespace ?? '');
  describeLabels(out, { metadata, names });
}

export interface Described {
  readonly metadata: ObjectMeta;
  readonly names: Names;
}

/** Labels and annotations. */
export function describeLabels(out: Description, { metadata, names }: Described): void {
  out.list('Labels', pairsOf(metadata.labels));
  describeAnnotations(out, { metadata, names });
}

/** Annotations; not the configuration that client-side apply stores. */
export function describeAnnotations(
  out: Description,
  { metadata, names }: Described,
  title = 'Annotations',
): void {
  const shown = sortedEntries(metadata.annotations).filter(([key]) => key !== names.annotations.lastApplied);
  out.list(title, shown.map(annotationText));
}

function annotationText([key, text]: readonly [string, string]): string {
  const value = text.endsWith('\n') ? text.slice(0, -1) : text;
  if (value.length + key.length + 2 <= MAX_LENGTH && !value.includes('\n')) return `${key}: ${value}`;
  const lines = value.split('\n').map((line) => `\n\t  ${shortened(line, MAX_LENGTH - 2)}`);
  return `${key}:${lines.join('')}`;
}

/** Attributes of volumes, each on its own line, shortened. */
export const attributeTexts = (attributes: Readonly<Record<string, string>> | undefined): readonly string[] =>
  pairsOf(attributes).map((pair) => shortened(pair, MAX_LENGTH));
