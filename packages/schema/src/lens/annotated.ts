import { encodeJson, isJsonObject, type MutableJsonObject, parseJson } from '@orch/machinery/json';
import { type Lens, type LensScope, put, take } from './lens.ts';

/** Sets or, with undefined, removes an annotation of the object; the map is removed with its last entry. */
export function setAnnotation({ root }: LensScope, key: string, text: string | undefined): void {
  const metadata = isJsonObject(root['metadata']) ? root['metadata'] : {};
  const annotations: MutableJsonObject = isJsonObject(metadata['annotations']) ? metadata['annotations'] : {};
  if (text === undefined) delete annotations[key];
  else annotations[key] = text;
  if (Object.keys(annotations).length > 0) metadata['annotations'] = annotations;
  else delete metadata['annotations'];
  root['metadata'] = metadata;
}

/** An annotation of the object, or undefined. */
export function annotation({ root }: LensScope, key: string): string | undefined {
  const metadata = isJsonObject(root['metadata']) ? root['metadata'] : {};
  const annotations = isJsonObject(metadata['annotations']) ? metadata['annotations'] : {};
  const found = annotations[key];
  return typeof found === 'string' ? found : undefined;
}

/** The encoding of a value in an annotation. `read` returns undefined for a string that is not such a value. */
export interface AnnotationCodec {
  write(value: unknown): string;
  read(text: string): unknown;
}

/** Any JSON value, as JSON. */
export const jsonAnnotation: AnnotationCodec = {
  write: (value) => encodeJson(value).toString(),
  read(text) {
    try {
      return parseJson(Buffer.from(text));
    } catch {
      // Clients may write annotations too; text that cannot be read is kept.
      return undefined;
    }
  },
};

export interface Annotated {
  /** Dotted path from the root of the version that has the field. */
  readonly path: string;
  readonly key: (scope: LensScope) => string;
  readonly codec?: AnnotationCodec;
}

/** A field of the hub that the older version has no place for; it shows there as an annotation. */
export const hubOnly = ({ path, key, codec = jsonAnnotation }: Annotated): Lens => ({
  toHub: (_value, scope) => unfold(scope, path, key(scope), codec),
  fromHub: (_value, scope) => fold(scope, path, key(scope), codec),
});

/** A field of the older version that the hub has no place for; it shows there as an annotation. */
export const olderOnly = ({ path, key, codec = jsonAnnotation }: Annotated): Lens => ({
  toHub: (_value, scope) => fold(scope, path, key(scope), codec),
  fromHub: (_value, scope) => unfold(scope, path, key(scope), codec),
});

function fold(scope: LensScope, path: string, key: string, codec: AnnotationCodec): void {
  const found = take(scope.root, path.split('.'));
  if (found !== undefined) setAnnotation(scope, key, codec.write(found));
}

function unfold(scope: LensScope, path: string, key: string, codec: AnnotationCodec): void {
  const text = annotation(scope, key);
  const value = text === undefined ? undefined : codec.read(text);
  if (value === undefined) return;
  setAnnotation(scope, key, undefined);
  put(scope.root, path.split('.'), value);
}
