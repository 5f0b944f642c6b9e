import type { ApiObject } from '@orch/machinery';
import { definitionOf } from '../definitions/definition.ts';
import { PlainTable } from './plain-table.tsx';
import { SchemaTree } from './schema-tree.tsx';

/** The versions of a custom resource, how they are converted and stored, and their schemas as trees. */
export function DefinitionParts({ object }: { readonly object: ApiObject }) {
  const { versions, storedVersions, conversion } = definitionOf(object);
  return (
    <section aria-labelledby="definition-title">
      <h2 id="definition-title">Versions and schema</h2>
      <PlainTable
        label="Versions"
        columns={['Version', 'Served', 'Written to the store', 'Deprecated']}
        rows={versions.map(({ name, isServed, isStored, isDeprecated }) => [
          name,
          ...[isServed, isStored, isDeprecated].map((is) => (is ? 'yes' : 'no')),
        ])}
      />
      <p>{`Conversion: ${conversion}. The store may contain: ${storedVersions.join(', ') || 'nothing yet'}.`}</p>
      {versions.map(({ name, schema }) => (
        <SchemaTree key={name} title={`Schema of ${name}`} schema={schema} />
      ))}
    </section>
  );
}
