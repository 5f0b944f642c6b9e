import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { atLeast, type Release } from '@orch/apis';
import { type Names, namesFor } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { encodeYaml, parseYaml } from '@orch/machinery/yaml';
import type { TypedObject } from './client.ts';

/** Where the manifests are, one folder for a group version, one file for a kind: `apps_v1/deployment.yaml`. */
export const manifestFolder = join(import.meta.dirname, 'manifests');

/** The naming in which people write manifests. */
const written = namesFor('kubernetes');

/** A file as a user would write it, in the naming of one server. */
export interface Manifest {
  /** Below the folder of manifests. */
  readonly path: string;
  readonly text: string;
  readonly object: TypedObject;
  /** First release that takes it, where the version itself is older: `pod.1.25.yaml`. */
  readonly since: Release | undefined;
  /** Last one, where the version itself went on: `binding.1.26-1.26.yaml`. */
  readonly until: Release | undefined;
}

const read = new Map<string, readonly Manifest[]>();

/** All manifests, in the naming of `names`; read once. */
export function readManifests(names: Names): readonly Manifest[] {
  const known = read.get(names.naming) ?? readFolder(names);
  read.set(names.naming, known);
  return known;
}

function readFolder(names: Names): readonly Manifest[] {
  const translate = translator(names);
  return globSync('*/*.yaml', { cwd: manifestFolder })
    .sort()
    .map((path) => {
      const text = readFileSync(join(manifestFolder, path), 'utf8');
      const object = translate(parseYaml(Buffer.from(text))) as TypedObject;
      const [, since, until] = /\.(\d+\.\d+)(?:-(\d+\.\d+))?\.yaml$/.exec(path) ?? [];
      return {
        path,
        text: names.naming === written.naming ? text : encodeYaml(object),
        object,
        since,
        until,
      };
    });
}

/** The manifests of one kind in one version that fit a release. */
export const manifestsOf = (
  all: readonly Manifest[],
  { apiVersion, kind, release }: { readonly apiVersion: string; readonly kind: string; release: Release },
): readonly Manifest[] =>
  all.filter(
    ({ object, since, until = release }) =>
      object.apiVersion === apiVersion &&
      object.kind === kind &&
      atLeast(release, since) &&
      atLeast(until, release),
  );

/** The path that a manifest must have, without its release: `rbac_v1/role`. */
export function expectedPath({ kind, apiVersion }: TypedObject): string {
  const at = apiVersion.lastIndexOf('/');
  const group = written.groupKey(apiVersion.slice(0, Math.max(0, at)));
  return `${group}_${apiVersion.slice(at + 1)}/${kind.toLowerCase()}`;
}

export const kindPath = (path: string): string =>
  join(dirname(path), basename(path).replace(/(?:\.\d+\.\d+(?:-\d+\.\d+)?)?\.yaml$/, ''));

type Pair = readonly [from: string, to: string];

/** Strings of both namings that differ, the longest first. */
function pairs(from: object, to: object): readonly Pair[] {
  const found: Pair[] = [];
  for (const [name, value] of Object.entries(from)) {
    const other: unknown = (to as Readonly<Record<string, unknown>>)[name];
    if (typeof value === 'string' && typeof other === 'string') found.push([value, other]);
    else if (isJsonObject(value) && isJsonObject(other)) found.push(...pairs(value, other));
  }
  return found;
}

/** The domains that all names of a naming end in, for keys without a separate row. */
const domains = ({ groups, labels }: Names): readonly string[] => [
  groups.coordination.replace('coordination.', ''),
  labels.hostname.replace('/hostname', ''),
];

/** Puts values that were written in the one naming into another. */
export function translator(names: Names): (value: unknown) => unknown {
  if (names.naming === written.naming) return (value) => value;
  const rows = new Map([
    ...pairs(written, names),
    ...domains(written).map((domain, i) => [domain, domains(names)[i] ?? domain] as const),
  ]);
  const words = [...rows.keys()].filter((word) => word.length > 3 && rows.get(word) !== word);
  const pattern = new RegExp(
    words
      .sort((a, b) => b.length - a.length)
      .map((word) => `(?<![A-Za-z0-9-])${word.replace(/[.]/g, '\\.')}`)
      .join('|'),
    'g',
  );
  const text = (value: string): string => value.replace(pattern, (word) => rows.get(word) ?? word);
  const translate = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(translate);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        names.field(written.canonicalField(text(key))),
        translate(member),
      ]),
    );
  };
  return translate;
}
