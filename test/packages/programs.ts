import assert from 'node:assert/strict';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { publishedDefinitions } from '../custom-resources/published-definitions.ts';
import { entries } from './entries.ts';
import { type Project, programsIn, widgetDefinition } from './project.ts';

const root = join(import.meta.dirname, '..', '..');

/** The programs that the packages are tried with: texts by the name of their file, without its ending. */
export interface Programs {
  readonly modules: Readonly<Record<string, string>>;
  readonly commons: Readonly<Record<string, string>>;
  /** The names of those in the README of the client package, in order. */
  readonly readme: readonly string[];
  /** The names of those in the README of the testing package, in order. */
  readonly testing: readonly string[];
}

/** The programs of the documentation, and those of tests. */
export function programsOf(project: Project): Programs {
  const client = project.nameOf('client');
  const testing = project.nameOf('testing');
  const named = (page: string, prefix: string): Record<string, string> =>
    Object.fromEntries(programsIn(page).map((text, i) => [`${prefix}-${i + 1}`, text]));
  const readme = named(join(project.package(client), 'README.md'), 'readme');
  const tests = named(join(project.package(testing), 'README.md'), 'testing-readme');
  const compared = named(join(root, 'docs', 'coming-from-other-clients.md'), 'compared');
  const { imports, use } = entries(client);
  const both = { entries: imports + use };
  return {
    modules: { ...readme, ...compared, ...tests, ...both, custom: customTypes(client) },
    commons: { ...both, plane: controlPlane(client, testing) },
    readme: Object.keys(readme),
    testing: Object.keys(tests),
  };
}

/** The programs as files that Node runs, without their types, which `declarations.test.ts` checks. */
export const scriptsOf = ({ modules, commons }: Programs): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...Object.entries(modules).map(([name, text]) => [`out/${name}.mjs`, scriptOf(text, 'esm')]),
    ...Object.entries(commons).map(([name, text]) => [`out/${name}.cjs`, scriptOf(text, 'cjs')]),
  ]);

/** A program without its types. */
export const scriptOf = (text: string, format: 'esm' | 'cjs'): string =>
  transformSync(text, { loader: 'ts', format, target: 'es2022' }).code;

const controlPlane = (client: string, testing: string): string => `
import { builtinResources, createClient } from '${client}';
import { startControlPlane } from '${testing}';
async function main(): Promise<void> {
  const plane = await startControlPlane({ controllers: false });
  const client = createClient(plane.config);
  const { configmaps, namespaces } = builtinResources(client.names).core.v1;
  const { items } = await client.resource(namespaces).list();
  await client.resource(configmaps, 'default').create({ metadata: { name: 'kept' }, data: { large: 'x'.repeat(100_000) } });
  await client.resource(configmaps, 'default').patch.merge('kept', { data: { large: null } });
  await plane.snapshot('plane.snapshot');
  await plane.stop();
  const again = await startControlPlane({ controllers: false, snapshot: 'plane.snapshot' });
  const kept = await createClient(again.config).resource(configmaps, 'default').get('kept');
  console.log(items.some(({ metadata }) => metadata.name === 'default'), kept.metadata.name);
  await again.stop();
}
void main();
`;

const customTypes = (client: string): string => `
import { createClient } from '${client}';
import { testClient } from '${client}/testing';
import { type Widget, validateWidget, widgets } from './types/widgets.example.com.js';

const widget: Widget = { metadata: { name: 'a' }, spec: { colour: 'red', size: 1 } };
const later: Widget = { metadata: { name: 'b' }, spec: { colour: 'violet', size: '10%' } };
const { client } = testClient();
const { kind, spec } = await client.resource(widgets, 'default').create(widget);
const read: 'Widget' = kind;
// @ts-expect-error The type of the field is another one.
const wrong: Widget = { metadata: {}, spec: { colour: 1, size: 1 } };
console.log(read, spec.colour, spec.count ?? 0, typeof createClient);
for (const object of [widget, later, wrong, { spec: {} }]) console.log(JSON.stringify(validateWidget(object)));
`;

/** Writes the types of a definition of this test, and of published operators where they can be had, in the folder `types`. */
export async function writeCustomTypes(project: Project): Promise<void> {
  const published = publishedDefinitions(['sigs.k8s.io/gateway-api@v1.3.0'])
    .map(({ definition }) => definition)
    .filter((definition) => /"plural":"(gateways|httproutes)"/.test(JSON.stringify(definition)));
  const texts = [widgetDefinition(), ...published].map((one) => JSON.stringify(one));
  project.write({ 'definitions.yaml': texts.join('\n---\n') });
  const command = project.command(project.nameOf('client'), 'orch-types');
  const { code, stderr } = await project.run(process.execPath, [
    command,
    'definitions.yaml',
    '--output',
    'types',
  ]);
  assert.equal(code, 0, stderr);
}
