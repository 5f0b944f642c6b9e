import { useState } from 'preact/hooks';
import type { SchemaField } from '../definitions/schema-field.ts';
import { absentFields, innerType, newValue, typeAt } from '../edit/form-rules.ts';
import type { FormField, FormPath, NewValue } from '../edit/yaml-form.ts';

export interface FormAdditionProps {
  /** The path of the object, list or map that gets another part. */
  readonly path: FormPath;
  readonly schema: SchemaField | undefined;
  /** Its path as a text. */
  readonly name: string;
  readonly fields: readonly FormField[];
  readonly onAdd: (step: string | number, value: NewValue) => void;
}

/** Adds an item to a list, an entry to a map, or a field to an object. */
export function FormAddition(props: FormAdditionProps) {
  const { schema, path, name, fields, onAdd } = props;
  if (schema === undefined) return null;
  const type = typeAt(schema, path);
  const inner = innerType(type);
  if (inner === undefined) return <FieldChoice {...props} />;
  const value = newValue(inner, schema.fields());
  if (type.startsWith('map of ')) return <NewKey {...{ name, fields }} onAdd={(key) => onAdd(key, value)} />;
  return (
    <p class="form-addition">
      <button type="button" aria-label={`Add an item to ${name}`} onClick={() => onAdd(fields.length, value)}>
        Add an item
      </button>
    </p>
  );
}

interface NewKeyProps extends Pick<FormAdditionProps, 'name' | 'fields'> {
  readonly onAdd: (key: string) => void;
}

function NewKey({ name, fields, onAdd }: NewKeyProps) {
  const [key, setKey] = useState('');
  return (
    <form
      class="form-addition"
      onSubmit={(event) => {
        event.preventDefault();
        if (key === '' || fields.some((field) => field.name === key)) return;
        onAdd(key);
        setKey('');
      }}
    >
      <input
        aria-label={`New key in ${name}`}
        value={key}
        onInput={({ currentTarget }) => setKey(currentTarget.value)}
      />
      <button type="submit">Add</button>
    </form>
  );
}

function FieldChoice({ schema, path, name, fields, onAdd }: FormAdditionProps) {
  const absent = absentFields(schema, path, fields);
  return absent.length === 0 ? null : (
    <p class="form-addition">
      <select
        aria-label={`Add a field to ${name}`}
        value=""
        onChange={({ currentTarget }) => {
          const found = absent.find((field) => field.name === currentTarget.value);
          if (found !== undefined) onAdd(found.name, newValue(found.type, found.fields()));
        }}
      >
        <option value="">Add a field…</option>
        {absent.map((field) => (
          <option key={field.name} value={field.name}>
            {field.name}
          </option>
        ))}
      </select>
    </p>
  );
}
