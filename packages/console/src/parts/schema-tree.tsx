import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { SchemaField } from '../definitions/schema-field.ts';

export interface SchemaTreeProps {
  readonly title: string;
  readonly schema: SchemaField;
}

/** The fields of a schema, each drawn when it is opened. */
export const SchemaTree = ({ title, schema }: SchemaTreeProps) => (
  <Opening title={title}>
    {() => {
      const fields = schema.fields();
      return fields.length === 0 ? (
        <p>It has no schema.</p>
      ) : (
        fields.map((field) => <Field key={field.name} field={field} />)
      );
    }}
  </Opening>
);

function Field({ field }: { readonly field: SchemaField }) {
  const { name, type, isRequired, description, limits } = field;
  return (
    <Opening title={`${name}: ${type}${isRequired ? ', required' : ''}`}>
      {() => (
        <>
          {description === '' ? null : <p>{description}</p>}
          {limits.length === 0 ? null : <p class="quiet">{limits.join('; ')}</p>}
          {field.fields().map((each) => (
            <Field key={each.name} field={each} />
          ))}
        </>
      )}
    </Opening>
  );
}

interface OpeningProps {
  readonly title: string;
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
