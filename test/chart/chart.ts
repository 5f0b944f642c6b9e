import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ApiObject } from '@orch/machinery';
import { parseYaml } from '@orch/machinery/yaml';
import { type CommandResult, run } from '@orch/testkit';
import { buildHelm } from '../conformance/helm-session.ts';

export const root = join(import.meta.dirname, '..', '..');
export const chart = join(root, 'charts', 'orch');

export const helm = await buildHelm();
/** For the option `skip` of suites that need helm. */
export const skip = helm.kind === 'missing' ? helm.reason : false;

/** Sets of values in the chart, by name; together they set every value. */
export const valueSets: ReadonlyMap<string, string> = new Map(
  globSync('ci/*-values.yaml', { cwd: chart }).map((path) => [
    basename(path, '-values.yaml'),
    join(chart, path),
  ]),
);

export const readYaml = (path: string): unknown => parseYaml(readFileSync(path));

/** Runs helm without a cluster. */
export const helmLocally = (...args: readonly string[]): Promise<CommandResult> =>
  run(helm.kind === 'built' ? helm.program.path : '', args);

/** What `helm template` has printed, by its options: many tests read the same sets of values. */
const printed = new Map<string, Promise<string>>();

/** The text that `helm template` prints for the release `main` in the namespace `default`. */
export function renderedText(...options: readonly string[]): Promise<string> {
  const key = JSON.stringify(options);
  const text = printed.get(key) ?? printedFor(options);
  printed.set(key, text);
  return text;
}

async function printedFor(options: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await helmLocally(
    'template',
    'main',
    chart,
    '--kube-version=1.27',
    ...options,
  );
  assert.equal(code, 0, stderr);
  return stdout;
}

export const nameOf = ({ metadata }: ApiObject): string => metadata.name ?? '';

/** The objects in YAML documents. */
export const objectsIn = (text: string): readonly ApiObject[] =>
  text
    .split(/^---$/m)
    .filter((document) => /^\w/m.test(document))
    .map((document) => parseYaml(Buffer.from(document)) as ApiObject);

export const rendered = async (...options: readonly string[]): Promise<readonly ApiObject[]> =>
  objectsIn(await renderedText(...options));

/** Values in nested objects, by the names that lead to them. Lists and empty objects are values. */
export function leavesOf(value: unknown, path: readonly string[] = []): readonly Leaf[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, child]) => leavesOf(child, [...path, key]))
    : [{ path, value }];
}

export interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The member at a path of nested objects; undefined when there is none. */
export const memberAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined,
    value,
  );
