import { errors } from '@orch/machinery';
import { isJsonObject, type JsonSlice } from '@orch/machinery/json';

/** A step of a path: the name of a member, the index of an element, or the element with these keys. */
export type FieldStep =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'position'; readonly index: number }
  | { readonly kind: 'element'; readonly key: string; readonly value: string };

const MAX_PATH = 1024;
/** `.name`, `["name"]`, `[3]`, `[name=web]`. */
const STEP = /\.?([^.[\]"'=]+)|\[(\d+)\]|\[(["'])(.*?)\3\]|\[([^\]=]+)=([^\]]*)\]/y;

/** Reads `.spec.containers[name=web].image`. Throws a 400 `ApiError`. */
export function readFieldPath(text: string): readonly FieldStep[] {
  const steps: FieldStep[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length && text.length <= MAX_PATH) {
    const match = STEP.exec(text);
    if (match === null) break;
    steps.push(stepOf(match));
    if (STEP.lastIndex === text.length) return steps;
  }
  throw errors.badRequest(
    `the field path ${JSON.stringify(text.slice(0, MAX_PATH))} is invalid; paths look like .spec.replicas, .metadata.labels["a.b/c"] or .spec.containers[name=web].image`,
  );
}

function stepOf([, name, index, , quoted, key, value = '']: RegExpExecArray): FieldStep {
  if (name !== undefined) return { kind: 'member', name };
  if (index !== undefined) return { kind: 'position', index: Number(index) };
  if (quoted !== undefined) return { kind: 'member', name: quoted };
  return { kind: 'element', key: key ?? '', value };
}

/** The value of a member or element; undefined when there is none. */
export function valueAt(value: unknown, step: FieldStep): unknown {
  switch (step.kind) {
    case 'member':
      return isJsonObject(value) && Object.hasOwn(value, step.name) ? value[step.name] : undefined;
    case 'position':
      return Array.isArray(value) ? value[step.index] : undefined;
    case 'element':
      return Array.isArray(value)
        ? value.find((one) => isJsonObject(one) && String(one[step.key]) === step.value)
        : undefined;
  }
}

/** As `valueAt`, for a value within a JSON text. */
export function sliceAt(value: JsonSlice | undefined, step: FieldStep): JsonSlice | undefined {
  switch (step.kind) {
    case 'member':
      return value?.member(step.name);
    case 'position':
      return firstElement(value, (_one, index) => index === step.index);
    case 'element':
      return firstElement(value, (one) => isNamed(one.member(step.key), step.value));
  }
}

/** Reads elements up to the one that is sought. */
function firstElement(
  value: JsonSlice | undefined,
  isSought: (one: JsonSlice, index: number) => boolean,
): JsonSlice | undefined {
  let index = 0;
  for (const one of value?.elements() ?? []) if (isSought(one, index++)) return one;
  return undefined;
}

const isNamed = (key: JsonSlice | undefined, value: string): boolean =>
  key !== undefined && String(key.parse()) === value;
