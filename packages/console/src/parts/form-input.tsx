import type { SchemaField } from '../definitions/schema-field.ts';
import { valuesOf } from '../edit/schema-at.ts';

export interface FormInputProps {
  /** The whole path, for those who do not see where the field stands. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly schema: SchemaField | undefined;
  readonly isInvalid: boolean;
  readonly onInput: (value: string) => void;
}

/** The input of a single value: a choice where the values are few, lines for a text that has some. */
export function FormInput({ name, title, text, schema, isInvalid, onInput }: FormInputProps) {
  const values = valuesOf(schema);
  const own = { 'aria-label': name, 'aria-invalid': isInvalid };
  const onText = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    onInput(currentTarget.value);
  return (
    <div class="form-input">
      <span aria-hidden="true">{title}</span>
      {values.length > 0 ? (
        <select {...own} value={text} onChange={onText}>
          {values.includes(text) ? null : <option value={text}>{text}</option>}
          {values.map((value) => (
            <option key={value} value={value}>
              {value}
            </option>
          ))}
        </select>
      ) : text.includes('\n') ? (
        <textarea {...own} rows={Math.min(12, text.split('\n').length + 1)} value={text} onInput={onText} />
      ) : (
        <input {...own} value={text} onInput={onText} />
      )}
    </div>
  );
}
