import { useMemo, useState } from 'preact/hooks';
import type { SchemaField } from '../definitions/schema-field.ts';
import { fieldName, isChangeable, isRemovable, isTextField, schemaPath } from '../edit/form-rules.ts';
import { fieldAt } from '../edit/schema-at.ts';
import type { ReadSchema } from '../edit/schema-hints.ts';
import type { FieldFailure } from '../edit/yaml-editor.ts';
import {
  type FormField,
  type FormPath,
  formOf,
  type NewValue,
  withNew,
  withoutField,
  withScalar,
} from '../edit/yaml-form.ts';
import { FormAddition } from './form-addition.tsx';
import { FormInput } from './form-input.tsx';
import { Opening } from './opening.tsx';
import { useAnswer } from './use-answer.ts';

export interface ObjectFormProps {
  /** The object as YAML. */
  readonly text: string;
  readonly schema: ReadSchema;
  readonly failures?: readonly FieldFailure[];
  /** Called with the changed text; absent where the object is only read. */
  readonly onChange?: ((text: string) => void) | undefined;
}

/** The state of a form that its parts share. */
interface Form {
  readonly schema: SchemaField | undefined;
  readonly failures: ReadonlyMap<string, string>;
  readonly isEdited: boolean;
  /** The path of the part that the user has added last: it is open. */
  readonly added: string;
  set(path: FormPath, value: string, isText: boolean): void;
  add(path: FormPath, value: NewValue): void;
  remove(path: FormPath): void;
}

/** An object as a form: each field with its type and documentation. What is entered changes the YAML of the object. */
export function ObjectForm({ text, schema: readSchema, failures = [], onChange }: ObjectFormProps) {
  const schema = useAnswer('schema', readSchema);
  const fields = useMemo(() => formOf(text), [text]);
  const [added, setAdded] = useState('');
  if (fields === undefined)
    return <p role="status">The text is not that of an object, or too large for a form. Use the YAML.</p>;
  const form: Form = {
    schema: schema.kind === 'found' ? schema.value : undefined,
    failures: new Map(failures.map(({ field, message }) => [field, message])),
    isEdited: onChange !== undefined,
    added,
    add(path, value) {
      setAdded(fieldName(path));
      onChange?.(withNew(text, path, value));
    },
    set: (path, value, isText) => onChange?.(withScalar(text, { path, value, isText })),
    remove: (path) => onChange?.(withoutField(text, path)),
  };
  return (
    <div class="object-form">
      {schema.kind === 'waiting' ? <p role="status">The documentation is read.</p> : null}
      <Fields {...{ form, fields }} path={[]} />
    </div>
  );
}

interface FieldsProps {
  readonly form: Form;
  readonly fields: readonly FormField[];
  /** The path of the field that they belong to. */
  readonly path: FormPath;
}

const Fields = ({ form, fields, path }: FieldsProps) => (
  <>
    {fields.map((field) =>
      field.text === undefined ? (
        <Group key={fieldName(field.path)} {...{ form, field }} />
      ) : (
        <Scalar key={fieldName(field.path)} {...{ form, field }} text={field.text} />
      ),
    )}
    {form.isEdited && isChangeable(path) ? (
      <FormAddition
        {...{ path, fields }}
        schema={schemaOf(form, path)}
        name={path.length === 0 ? 'the object' : fieldName(path)}
        onAdd={(step, value) => form.add([...path, step], value)}
      />
    ) : null}
  </>
);

/** Levels that are open at first. */
const OPEN_LEVELS = 2;

function Group({ form, field }: { readonly form: Form; readonly field: FormField }) {
  const { path, name, isList, fields } = field;
  const schema = schemaOf(form, path);
  const count = isList ? `, ${fields.length} ${fields.length === 1 ? 'item' : 'items'}` : '';
  const type = schema === undefined || name === '' ? '' : `: ${schema.type}`;
  const isFailed = [...form.failures.keys()].some((failed) => failed.startsWith(fieldName(path)));
  return (
    <Opening
      title={`${titleOf(path)}${type}${count}`}
      isOpen={isFailed || path.length <= OPEN_LEVELS || form.added === fieldName(path)}
    >
      {() => (
        <>
          <Failed {...{ form, path }} />
          <Documentation {...{ schema, path }} />
          <Fields {...{ form, fields, path }} />
          {form.isEdited && isRemovable(path) ? (
            <button type="button" onClick={() => form.remove(path)}>{`Remove ${fieldName(path)}`}</button>
          ) : null}
        </>
      )}
    </Opening>
  );
}

function Scalar({
  form,
  field,
  text,
}: {
  readonly form: Form;
  readonly field: FormField;
  readonly text: string;
}) {
  const { path } = field;
  const schema = schemaOf(form, path);
  const name = fieldName(path);
  const title = titleOf(path);
  const isFailed = form.failures.has(name);
  return (
    <div class="form-field">
      {form.isEdited && isChangeable(path) ? (
        <>
          <FormInput
            {...{ name, title, text, schema }}
            isInvalid={isFailed}
            onInput={(value) => form.set(path, value, isTextField(schema, text))}
          />
          <button type="button" aria-label={`Remove ${name}`} onClick={() => form.remove(path)}>
            Remove
          </button>
        </>
      ) : (
        <p>
          <span class="quiet">{`${title}: `}</span>
          <span class="form-value">{text}</span>
        </p>
      )}
      <Failed {...{ form, path }} />
      <Documentation {...{ schema, path }} />
    </div>
  );
}

interface PartProps {
  readonly form: Form;
  readonly path: FormPath;
}

const Failed = ({ form, path }: PartProps) => {
  const message = form.failures.get(fieldName(path));
  return message === undefined ? null : <p class="bad">{message}</p>;
};

/** The documentation of a field, opened by the user. Items and keys have none: that of their list or map is above. */
function Documentation({
  schema,
  path,
}: {
  readonly schema: SchemaField | undefined;
  readonly path: FormPath;
}) {
  if (schema === undefined || schema.name !== path.at(-1)) return null;
  if (schema.description === '' && schema.limits.length === 0) return null;
  return (
    <Opening title={`About ${schema.name}: ${schema.type}${schema.isRequired ? ', required' : ''}`}>
      {() => (
        <>
          <p>{schema.description}</p>
          {schema.limits.length === 0 ? null : <p class="quiet">{schema.limits.join('; ')}</p>}
        </>
      )}
    </Opening>
  );
}

const schemaOf = ({ schema }: Form, path: FormPath): SchemaField | undefined =>
  schema && fieldAt(schema, schemaPath(path));

/** The name of a field; the place of an item, from 1. */
const titleOf = (path: FormPath): string => {
  const last = path.at(-1) ?? '';
  return typeof last === 'number' ? `Item ${last + 1}` : last;
};
