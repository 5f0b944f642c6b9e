import {
  isExactNumber,
  isJsonObject,
  jsonText,
  type MutableJsonObject,
  parseJson,
  setField,
} from '@orch/machinery/json';
import { emptySet, type FieldSet } from '../fields/field-set.ts';
import { difference, recursiveDifference } from '../fields/set-algebra.ts';
import type { ObjectShapes } from '../shape/shapes.ts';
import { fieldsSet } from '../typed/change.ts';
import { checkConfig } from '../typed/check-config.ts';
import { fieldsOf } from '../typed/collect.ts';
import { compare } from '../typed/compare.ts';
import { own } from '../values/own.ts';
import { compareText } from '../values/text-order.ts';
import { metadataOf } from './encode.ts';

/** Maximum size of all annotations of an object together. */
const MAX_ANNOTATION_BYTES = 256 * 1024;

const annotationsOf = (object: MutableJsonObject): MutableJsonObject => {
  const annotations = own(metadataOf(object), 'annotations');
  return isJsonObject(annotations) ? annotations : {};
};

function parsed(text: unknown): MutableJsonObject | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value = parseJson(Buffer.from(text));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Fields that client-side apply set and that still have that value (spec 4.9 rule 10): server-side apply by the same tool
 * takes them over without conflicts. Fields changed since belong to the manager that changed them.
 */
export function fieldsOfLastApplied(
  live: MutableJsonObject,
  annotation: string,
  at: { readonly apiVersion: string; readonly shapes: ObjectShapes },
): FieldSet {
  const applied = parsed(own(annotationsOf(live), annotation));
  if (applied === undefined || own(applied, 'apiVersion') !== at.apiVersion) return emptySet;
  const { root } = at.shapes;
  const { config, errors } = checkConfig(applied, root);
  if (errors.length > 0) return emptySet;
  const set = fieldsOf(config, root);
  const change = compare(config, live, root);
  if (change === undefined) return set;
  return recursiveDifference(difference(set, fieldsSet(change)), change.removed ?? emptySet);
}

/** A copy with the fields of all objects in order, so that equal configurations are equal strings. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value) || isExactNumber(value)) return value;
  const copy: MutableJsonObject = {};
  for (const name of Object.keys(value).sort(compareText)) setField(copy, name, sorted(value[name]));
  return copy;
}

function textOf(config: MutableJsonObject, annotation: string): string {
  const metadata = { ...metadataOf(config) };
  delete metadata['managedFields'];
  if (isJsonObject(metadata['annotations'])) {
    const { [annotation]: _own, ...others } = metadata['annotations'];
    metadata['annotations'] = others;
  }
  return `${jsonText(sorted({ ...config, metadata }))}\n`;
}

const bytesOf = (annotations: MutableJsonObject): number =>
  Object.entries(annotations).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(String(value)),
    0,
  );

/**
 * Keeps the annotation of client-side apply up to date, so that an older tool can go on where server-side apply
 * stopped. Only where there is one; a configuration that is too large for it takes its place with an empty string.
 */
export function withLastApplied(
  object: MutableJsonObject,
  config: MutableJsonObject,
  annotation: string,
): MutableJsonObject {
  const before = annotationsOf(object);
  if (!Object.hasOwn(before, annotation)) return object;
  const annotations = { ...before, [annotation]: textOf(config, annotation) };
  if (bytesOf(annotations) > MAX_ANNOTATION_BYTES) annotations[annotation] = '';
  if (annotations[annotation] === before[annotation]) return object;
  return { ...object, metadata: { ...metadataOf(object), annotations } };
}
