import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { namesFor } from '@orch/machinery';
import { files } from '../config/testing/files.ts';
import { serving } from '../transport/testing/certificates.ts';
import { runTypesProgram } from './types-program.ts';

const apiVersion = namesFor('kubernetes').apiVersion('apiextensions', 'v1');
const { intOrString, listMapKeys, listType, preserveUnknownFields } = namesFor('kubernetes').schemaExtensions;

/** A definition as JSON, which is also YAML, with these properties of `spec`. */
const definition = (plural: string, properties: object, more: object = {}): string =>
  JSON.stringify({
    apiVersion,
    kind: 'CustomResourceDefinition',
    spec: {
      group: 'a.example',
      names: { plural, kind: 'Web-Site' },
      scope: 'Namespaced',
      versions: ['v1', 'v1beta1'].map((name) => ({
        name,
        served: true,
        deprecated: name !== 'v1',
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A site.\nOn the web. */',
            required: ['spec'],
            properties: { spec: { type: 'object', required: ['class', 'size'], properties } },
          },
        },
      })),
      ...more,
    },
  });

async function* inputOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function run(args: readonly string[], { folder = '/', input = '' } = {}) {
  let [printed, error] = ['', ''];
  const code = await runTypesProgram(args, {
    clientPackage: 'the-client',
    version: '1.2.3',
    environment: {},
    folder,
    input: inputOf(input),
    print: (text) => {
      printed += text;
    },
    printError: (text) => {
      error += text;
    },
  });
  return { code, printed, error };
}

describe('the program orch-types', () => {
  it('the fields of a schema become typed properties with their descriptions', async () => {
    const properties = {
      class: { type: 'string', enum: ['small', "large'"], nullable: true, description: 'Of the machine.' },
      size: { type: 'integer', default: 3 },
      'not-a-name': { type: 'integer', format: 'int64' },
      port: { [intOrString]: true },
      rules: {
        type: 'array',
        [listType]: 'map',
        [listMapKeys]: ['host', 'path'],
        items: { type: 'object', properties: { host: { type: 'string' } } },
      },
      values: {
        type: 'object',
        additionalProperties: { type: 'array', items: { type: 'boolean', nullable: true } },
      },
      rest: { type: 'object', [preserveUnknownFields]: true },
      empty: { type: 'object' },
    };
    const { code, printed, error } = await run(['-'], { input: definition('websites', properties) });
    assert.deepEqual([code, error], [0, '']);
    const spec = /export interface WebSiteSpec \{[^}]*\}[^}]*\}\n/.exec(printed)?.[0];
    assert.equal(
      spec,
      `export interface WebSiteSpec {
  /** Of the machine. */
  class: 'small' | 'large\\'' | (string & {}) | null;
  /** Default: \`3\`. */
  size?: number;
  'not-a-name'?: Int64;
  port?: number | string;
  /** One item for each \`host\` and \`path\`. */
  rules?: KeyedList<WebSiteSpecRulesItem, 'host'>;
  values?: Record<string, (boolean | null)[]>;
  rest?: Record<string, unknown>;
  empty?: Record<string, never>;
}
`,
    );
    assert.match(printed, /\/\*\*\n \* A site\.\n \* On the web\. \*\\\/\n \*\/\nexport type WebSite = \{/);
    assert.match(
      printed,
      /^import type \{ Int64, KeyedList, ObjectMeta, TypedResource \} from 'the-client';$/m,
    );
    assert.match(
      printed,
      /\n \* @deprecated [^\n]*\n \*\/\nexport const websitesV1beta1: TypedResource<WebSiteV1beta1>/,
    );
    assert.match(printed, /export function validateWebSiteV1beta1\(object: unknown\): Violation\[\]/);
  });

  it('the same definitions give the same modules, one for each, in a folder', async () => {
    const texts = ['b', 'a'].map((plural) => definition(plural, { class: {}, size: {} })).join('\n---\n');
    using folder = files({ 'all.yaml': `# first\n---\n${texts}\n---\nkind: ConfigMap\n` });
    const first = await run(['all.yaml', '--output', 'one'], folder);
    const second = await run(['all.yaml', '--output', 'two', '--only', 'b.a.example'], folder);
    assert.deepEqual([first.error, second.error], ['', '']);
    const [one, two] = [folder.path('one'), folder.path('two')];
    assert.deepEqual(readdirSync(one), ['a.a.example.ts', 'b.a.example.ts']);
    assert.deepEqual(readdirSync(two), ['b.a.example.ts']);
    const texts2 = [one, two].map((path) => readFileSync(join(path, 'b.a.example.ts'), 'utf8'));
    assert.equal(texts2[0], texts2[1]);
    assert.equal(first.printed, `${join(one, 'a.a.example.ts')}\n${join(one, 'b.a.example.ts')}\n`);
  });

  it('names that are taken or reserved get a number', async () => {
    const input = definition(
      'class',
      { class: {}, size: {} },
      { names: { plural: 'check', kind: 'Record' } },
    );
    const { printed } = await run(['-'], { input });
    assert.match(printed, /^export type Record2 = \{/m);
    assert.match(printed, /^export const check2: TypedResource<Record2>/m);
  });

  const spec = 'spec.versions[0].schema.openAPIV3Schema.properties.spec.properties';
  const failures: readonly (readonly [string, string, string])[] = [
    ['of another kind', '{"kind": "Pod"}', 'standard input: has no definition of a custom resource'],
    ['that is not YAML', 'a: 1\n---\nb: [\n', 'standard input: document 2 at line 4: '],
    [
      'with a wrong group',
      definition('a', {}, { group: '../a' }),
      'standard input: document 1 at line 1: spec.group: "../a" is not a valid name',
    ],
    [
      'with a wrong type',
      `# comment\n---\n${definition('a', { size: { type: 'text' } })}`,
      `standard input: document 1 at line 3: ${spec}.size.type: must be one of array, boolean, `,
    ],
    [
      'without versions',
      definition('a', {}, { versions: [] }),
      'standard input: document 1 at line 1: spec.versions: must have a version that is served',
    ],
    [
      'that is there twice',
      `${definition('a', {})}\n---\n${definition('a', {})}`,
      'standard input: document 2 at line 3: standard input: document 1 at line 1 defines a.a.example too',
    ],
    [
      'beside another one',
      `${definition('a', {})}\n---\n${definition('b', {})}`,
      'there are 2 definitions: choose a folder with --output, or one of them with --only: a.a.example, b.a.example',
    ],
  ];
  for (const [title, input, message] of failures)
    it(`an error about a document ${title} names the document and the field`, async () => {
      const { code, error, printed } = await run(['-'], { input });
      assert.deepEqual([code, printed], [1, '']);
      assert.equal(error.slice(0, message.length + 12), `orch-types: ${message}`);
    });

  it('an error about a source names it, and wrong arguments have another exit status', async () => {
    const failed = await Promise.all(
      [['no.yaml'], ['.'], ['http://a.example/'], ['--only', 'x', '-']].map((args) => run(args)),
    );
    assert.deepEqual(
      failed.map(({ code, error }) => [code, error]),
      [
        [1, 'orch-types: no.yaml: no such file or directory\n'],
        [1, 'orch-types: .: is a folder; name its files, such as FOLDER/*.yaml\n'],
        [1, 'orch-types: http://a.example/: the URL must be https\n'],
        [1, 'orch-types: standard input: has no definition of a custom resource\n'],
      ],
    );
    for (const args of [[], ['--no-flag', 'a']]) assert.equal((await run(args)).code, 2);
    assert.match((await run(['--no-flag', 'a'])).error, /^orch-types: unknown flag: --no-flag\n/);
    assert.deepEqual(await run(['--version']), { code: 0, printed: 'orch-types 1.2.3\n', error: '' });
    assert.match((await run(['--help'])).printed, /^Usage: orch-types \[flags\] SOURCE\.\.\.\n/);
  });

  it('a definition is read from an https URL', async () => {
    using folder = files({ 'ca.pem': serving.cert });
    const server = createServer(serving, (_, response) =>
      response.end(definition('sites', { class: {}, size: {} })),
    );
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/crd.json`;
    const main = join(import.meta.dirname, 'main.ts');
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: folder.path('ca.pem') };
    const { stdout } = await promisify(execFile)(process.execPath, [main, url], { env });
    server.close();
    assert.match(stdout, /^export const sites: TypedResource<WebSite> = \{$/m);
  });
});
