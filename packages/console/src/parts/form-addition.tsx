import { useState } from 'preact/hooks';
import type { SchemaField } from '../definitions/schema-field.ts';
import { absentFields, isTextMap } from '../edit/form-rules.ts';
import type { FormField } from '../edit/yaml-form.ts';

export interface FormAdditionProps {
  /** Of the field that gets another one. */
  readonly schema: SchemaField | undefined;
  readonly name: string;
  readonly fields: readonly FormField[];
  readonly onAdd: (name: string, isText: boolean) => void;
}

/** Adds a field with a single value, or a key to a map of texts. */
export function FormAddition({ schema, name, fields, onAdd }: FormAdditionProps) {
  const [key, setKey] = useState('');
  if (isTextMap(schema))
    return (
      <form
        class="form-addition"
        onSubmit={(event) => {
          event.preventDefault();
          if (key === '' || fields.some((field) => field.name === key)) return;
          onAdd(key, true);
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
  const absent = absentFields(schema, fields);
  return absent.length === 0 ? null : (
    <p class="form-addition">
      <select
        aria-label={`Add a field to ${name}`}
        value=""
        onChange={({ currentTarget }) => {
          const found = absent.find((field) => field.name === currentTarget.value);
          if (found !== undefined) onAdd(found.name, found.type === 'string');
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
