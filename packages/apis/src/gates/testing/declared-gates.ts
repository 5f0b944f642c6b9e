import { resolveRef, type Schema, type SchemaRef } from '@orch/schema';
import type { ResourceType } from '../../resource-type.ts';

/** Gates that fields, subresources and table columns name. */
export function gatesOfDeclarations(types: readonly ResourceType[]): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<Schema>();
  const note = ({ gate }: { readonly gate?: string }): void => {
    if (gate !== undefined) found.add(gate);
  };
  const visit = (ref: SchemaRef | undefined): void => {
    if (ref === undefined) return;
    const schema = resolveRef(ref);
    if (seen.has(schema)) return;
    seen.add(schema);
    if (schema.kind === 'struct') {
      for (const field of schema.fields) {
        note(field);
        visit(field.schema);
      }
    } else if (schema.kind === 'list') visit(schema.items);
    else if (schema.kind === 'map') visit(schema.values);
    else if (schema.kind === 'union')
      for (const variant of [schema.object, schema.list]) visit(variant?.schema);
  };
  for (const { versions, subresources, table } of types) {
    for (const { schema } of versions) visit(schema);
    subresources.forEach(note);
    table?.columns.forEach(note);
  }
  return found;
}
