import type { ApiObject } from '@orch/machinery';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type DefinedVersion, definitionOf, type SchemaField } from '../definitions/definition.ts';
import { PlainTable } from './plain-table.tsx';

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
      {versions.map((version) => (
        <Version key={version.name} version={version} />
      ))}
    </section>
  );
}

const Version = ({ version: { name, schema } }: { readonly version: DefinedVersion }) => (
  <Opening title={`Schema of ${name}`}>
    {() =>
      schema.fields.length === 0 ? (
        <p>It has no schema.</p>
      ) : (
        schema.fields.map((field) => <Field key={field.name} field={field} />)
      )
    }
  </Opening>
);

function Field({ field }: { readonly field: SchemaField }) {
  const { name, type, isRequired, description, limits, fields } = field;
  const title = `${name}: ${type}${isRequired ? ', required' : ''}`;
  return (
    <Opening title={title}>
      {() => (
        <>
          {description === '' ? null : <p>{description}</p>}
          {limits.length === 0 ? null : <p class="quiet">{limits.join('; ')}</p>}
          {fields.map((each) => (
            <Field key={each.name} field={each} />
          ))}
        </>
      )}
    </Opening>
  );
}

interface OpeningProps {
  readonly title: string;
  /** Drawn while it is open: schemas are deep. */
  readonly children: () => ComponentChildren;
}

function Opening({ title, children }: OpeningProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="schema"
      onToggle={(event) => {
        if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
      }}
    >
      <summary>{title}</summary>
      {isOpen ? children() : null}
    </details>
  );
}
