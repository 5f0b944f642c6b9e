import type { SchemaField } from '../definitions/schema-field.ts';
import { Opening } from './opening.tsx';

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
