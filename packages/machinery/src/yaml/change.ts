import { type Document, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { YamlSyntaxError } from './syntax-error.ts';

/** A change of a field or item; without a value it is removed. */
export interface YamlChange {
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
}

/**
 * The text of a YAML document with some fields changed: comments, order and all other fields stay. Missing parents are created,
 * and an index that is the length of a list appends. Throws a YamlSyntaxError for a string that is not YAML.
 */
export function changeYaml(text: string, changes: readonly YamlChange[]): string {
  const document = parseDocument(text, { version: '1.1', uniqueKeys: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const [start] = error.linePos ?? [];
    throw new YamlSyntaxError('malformed YAML', { line: start?.line ?? 1, column: start?.col ?? 1 });
  }
  for (const { path, value } of changes) {
    if (value === undefined) document.deleteIn(path);
    else setValue(document, path, value);
  }
  return document.toString({ lineWidth: 0, directives: false });
}

function setValue(document: Document, path: readonly (string | number)[], value: unknown): void {
  const existing = document.getIn(path, true);
  if (isScalar(existing) && (value === null || typeof value !== 'object')) {
    existing.value = value;
    return;
  }
  const present = path.findIndex((_, length) => !isOpenCollection(document, path.slice(0, length)));
  const length = present < 0 ? path.length : present;
  const node = document.createNode(path.slice(length).reduceRight(wrapped, value));
  if (length === 0) document.contents = node as Document['contents'];
  else document.setIn(path.slice(0, length), node);
}

/** A value as the content of a field or of the first item of a list. */
const wrapped = (value: unknown, key: string | number): unknown =>
  typeof key === 'number' ? [value] : { [key]: value };

/** Reports whether there is a collection at the path. An empty one gets a line per field. */
function isOpenCollection(document: Document, path: readonly (string | number)[]): boolean {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (!isMap(node) && !isSeq(node)) return false;
  if (node.items.length === 0) node.flow = false;
  return true;
}
