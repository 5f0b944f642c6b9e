import {
  autocompletion,
  type Completion,
  type CompletionSource,
  completionKeymap,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip, keymap } from '@codemirror/view';
import type { SchemaField } from '../definitions/schema-field.ts';
import { keyPlaceAt } from './key-path.ts';
import { fieldAt, valuesOf } from './schema-at.ts';

/** The schema of the object that is edited; undefined where the server has none. */
export type ReadSchema = () => Promise<SchemaField | undefined>;

/** Completes fields and values of an object, and shows the documentation of a field under the pointer. */
export const schemaHints = (schema: ReadSchema): Extension => [
  autocompletion({ override: [completionsOf(schema)], icons: false }),
  keymap.of(completionKeymap),
  hoverTooltip(async ({ state }, position) => {
    const line = state.doc.lineAt(position);
    const place = keyPlaceAt(state.doc.toString(), position);
    if (place === undefined || place.key === '' || place.isValue) return null;
    const root = await schema();
    const field = root && fieldAt(root, [...place.path, place.key]);
    if (field === undefined) return null;
    const from = line.from + line.text.indexOf(place.key);
    return {
      pos: from,
      end: from + place.key.length,
      above: true,
      create: () => ({ dom: documentation(field) }),
    };
  }),
];

const completionsOf =
  (schema: ReadSchema): CompletionSource =>
  async (context) => {
    const place = keyPlaceAt(context.state.doc.toString(), context.pos);
    const word = context.matchBefore(/[\w.-]*/);
    if (place === undefined || (!context.explicit && (word === null || word.from === word.to))) return null;
    const root = await schema();
    if (root === undefined) return null;
    const from = word?.from ?? context.pos;
    const options = place.isValue
      ? valuesOf(fieldAt(root, [...place.path, place.key])).map((label): Completion => ({ label }))
      : (fieldAt(root, place.path)?.fields() ?? []).map(completionOf);
    return { from, options, validFor: /^[\w.-]*$/ };
  };

const completionOf = (field: SchemaField): Completion => ({
  label: field.name,
  apply: /^(?:string|integer|number|boolean|any)$/.test(field.type) ? `${field.name}: ` : `${field.name}:`,
  detail: `${field.type}${field.isRequired ? ', required' : ''}`,
  info: () => documentation(field),
  ...(field.isRequired && { boost: 1 }),
});

function documentation({ name, type, isRequired, description, limits }: SchemaField): HTMLElement {
  const box = document.createElement('div');
  box.className = 'field-documentation';
  for (const [tag, text] of [
    ['strong', name],
    ['span', ` ${type}${isRequired ? ', required' : ''}`],
    ['p', description],
    ['p', limits.join(', ')],
  ] as const) {
    if (text === '') continue;
    const part = document.createElement(tag);
    part.textContent = text;
    box.append(part);
  }
  return box;
}
