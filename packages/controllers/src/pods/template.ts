import { type kinds, ownerReferenceTo } from '@orch/client';
import type { ApiObject, Random } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';

type PodTemplate = kinds.core.PodTemplateSpec;

/** Without vowels and similar characters, so that no name contains a word. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const MAX_NAME = 63;

/** The same text for equal values, whatever the order of their fields; unset fields are omitted. */
export function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([, each]) => each !== undefined && each !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${stableText(each)}`).join(',')}}`;
}

/** A short hash (FNV-1a) of a value, in characters that names and labels permit. */
export function hashOf(value: unknown, collisions = 0): string {
  const text = collisions === 0 ? stableText(value) : `${stableText(value)}${collisions}`;
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return [...String(hash)].map((digit) => ALPHABET[Number(digit)]).join('');
}

/** The prefix with a random suffix: the name of an object of which any number is made. */
export function randomName(prefix: string, random: Random): string {
  const suffix = Array.from({ length: 5 }, () => ALPHABET[random.int(ALPHABET.length)]).join('');
  return `${prefix.slice(0, MAX_NAME - suffix.length - 1)}-${suffix}`;
}

/** A pod from a template, controlled by `owner`, with additional labels and annotations. */
export function podOf(
  template: PodTemplate,
  owner: ApiObject,
  own: {
    readonly name: string;
    /** The prefix of a name with a random suffix. */
    readonly generateName?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  },
): kinds.core.Pod {
  const { metadata = {}, spec } = template;
  const finalizers = [...(metadata.finalizers ?? []), ...(own.finalizers ?? [])];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: own.name,
      ...(own.generateName !== undefined && { generateName: own.generateName }),
      ...(owner.metadata.namespace !== undefined && { namespace: owner.metadata.namespace }),
      labels: { ...metadata.labels, ...own.labels },
      annotations: { ...metadata.annotations, ...own.annotations },
      ...(finalizers.length > 0 && { finalizers }),
      ownerReferences: [ownerReferenceTo(owner)],
    },
    ...(spec !== undefined && { spec }),
  };
}
