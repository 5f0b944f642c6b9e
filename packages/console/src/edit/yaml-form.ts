import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  Scalar,
  YAMLMap,
  YAMLSeq,
} from 'yaml';

/** Names of fields, keys of maps, and numbers of items. */
export type FormPath = readonly (string | number)[];

/** A field or item of an object in YAML. */
export interface FormField {
  readonly path: FormPath;
  /** A field's or key's; empty for an item. */
  readonly name: string;
  /** The text of a scalar; undefined for a field with fields or items of its own. */
  readonly text: string | undefined;
  readonly isList: boolean;
  readonly fields: readonly FormField[];
}

/** Beyond these limits a text has no form: its elements would slow the page down. */
const MAX_DEPTH = 64;
const MAX_FIELDS = 20_000;

/** The fields of an object in YAML; undefined for a text that is not one, or is too large. */
export function formOf(text: string): readonly FormField[] | undefined {
  const document = parsed(text);
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  let rest = MAX_FIELDS;
  const fieldOf = (node: unknown, path: FormPath): FormField | undefined => {
    if (path.length > MAX_DEPTH || --rest < 0) return undefined;
    const last = path.at(-1) ?? 0;
    const own = { path, name: typeof last === 'string' ? last : '' };
    if (isMap(node) || isSeq(node)) {
      const fields = fieldsOf(node, path);
      return fields && { ...own, text: undefined, isList: isSeq(node), fields };
    }
    const value = isScalar(node) ? node.value : '';
    return { ...own, text: String(value ?? ''), isList: false, fields: [] };
  };
  const fieldsOf = (node: Node, path: FormPath): readonly FormField[] | undefined => {
    const found = isMap(node)
      ? node.items.map(({ key, value }) => fieldOf(value, [...path, isScalar(key) ? String(key.value) : '']))
      : isSeq(node)
        ? node.items.map((item, place) => fieldOf(item, [...path, place]))
        : [];
    return found.includes(undefined) ? undefined : found.filter((field) => field !== undefined);
  };
  return fieldsOf(document.contents, []);
}

/** The text with a scalar at a path, in place of an earlier one or as a new field. Everything else keeps its value. */
export function withScalar(
  text: string,
  { path, value, isText }: { readonly path: FormPath; readonly value: string; readonly isText: boolean },
): string {
  const document = parsed(text);
  openUp(document, path.slice(0, -1));
  const earlier = document.getIn(path, true);
  const scalar = isScalar(earlier) ? earlier : new Scalar(value);
  scalar.value = value;
  scalar.type = styleOf(value, isText);
  if (scalar !== earlier) document.setIn(path, scalar);
  return textOf(document);
}

/** An empty value: of a text, of another scalar, of a list, or of fields with values. */
export type NewValue = 'text' | 'value' | 'list' | { readonly [field: string]: NewValue };

/** The text with a new value at a path, which is a new field, or the next item of a list. */
export function withNew(text: string, path: FormPath, value: NewValue): string {
  const document = parsed(text);
  openUp(document, path.slice(0, -1));
  const parent = document.getIn(path.slice(0, -1), true);
  const last = path.at(-1) ?? '';
  if (isMap(parent)) parent.set(keyOf(String(last)), nodeOf(value));
  else document.setIn(path, nodeOf(value));
  return textOf(document);
}

/** A key that every reader of YAML takes for a text. */
function keyOf(text: string): Scalar<string> {
  const key = new Scalar(text);
  key.type = styleOf(text, true);
  return key;
}

function nodeOf(value: NewValue): Node {
  if (value === 'text' || value === 'value') {
    const scalar = new Scalar('');
    scalar.type = value === 'text' ? 'QUOTE_DOUBLE' : 'PLAIN';
    return scalar;
  }
  const node = value === 'list' ? new YAMLSeq() : new YAMLMap();
  node.flow = value === 'list' || Object.keys(value).length === 0;
  if (isMap(node)) for (const [name, inner] of Object.entries(value)) node.set(keyOf(name), nodeOf(inner));
  return node;
}

/** An empty list or map that gets content is written with one line for each part of it. */
function openUp(document: Document, path: FormPath): void {
  const parent = document.getIn(path, true);
  if ((isMap(parent) || isSeq(parent)) && parent.items.length === 0) parent.flow = false;
}

/** The text without a field. */
export function withoutField(text: string, path: FormPath): string {
  const document = parsed(text);
  document.deleteIn(path);
  return textOf(document);
}

// Without types of scalars, what is not changed is written as it was read: no number loses digits.
const parsed = (text: string): Document.Parsed =>
  parseDocument(text, { schema: 'failsafe', version: '1.1', uniqueKeys: false, merge: false });

const textOf = (document: Document): string => document.toString({ lineWidth: 0, directives: false });

/** Text that YAML reads as text without quotes. */
const plainText = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z][\w/-]*(?:[.:][\w/-]+)*$/i;
/** Numbers, `true`, quantities. */
const plainValue = /^[\w.+-]*$/;

const styleOf = (value: string, isText: boolean): NonNullable<Scalar['type']> => {
  if (value.includes('\n')) return 'BLOCK_LITERAL';
  return (isText ? plainText : plainValue).test(value) ? 'PLAIN' : 'QUOTE_DOUBLE';
};
