import type { ApiObject } from '@orch/machinery';
import { exactNumberText, isJsonObject } from '@orch/machinery/json';
import type { DescribeContext } from './describer.ts';
import type { Description } from './text/description.ts';
import { fieldTitle } from './text/field-title.ts';
import { describeMetadata } from './text/metadata.ts';
import { goText, sortedEntries } from './text/values.ts';

/** Fields that are not listed: they are shown above, or are rarely of interest. */
const hidden: ReadonlySet<string> = new Set([
  '.metadata.managedFields',
  '.metadata.name',
  '.metadata.namespace',
  '.metadata.labels',
  '.metadata.annotations',
]);

/** Describes an object by its fields, for kinds without a describer. */
export function describeFields(out: Description, object: ApiObject, { names }: DescribeContext): void {
  describeMetadata(out, { metadata: object.metadata, names });
  describeObject(out, object, { level: 0, path: '' });
}

interface Place {
  readonly level: number;
  readonly path: string;
}

function describeObject(out: Description, object: object, { level, path }: Place): void {
  for (const [name, value] of sortedEntries(object as Record<string, unknown>)) {
    const inner = { level: level + 1, path: `${path}.${name}` };
    if (hidden.has(inner.path)) continue;
    const title = fieldTitle(name);
    if (isJsonObject(value)) {
      out.line(level, `${title}:`);
      describeObject(out, value, inner);
    } else if (Array.isArray(value)) {
      out.line(level, `${title}:`);
      for (const item of value)
        if (isJsonObject(item)) describeObject(out, item, inner);
        else out.line(level + 1, valueText(item));
    } else out.field(level, title, valueText(value));
  }
}

const valueText = (value: unknown): string => exactNumberText(value) ?? goText(value);
