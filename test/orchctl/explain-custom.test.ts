import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { namesFor, namings } from '@orch/machinery';
import { until } from '@orch/machinery/testing';
import { type CommandCluster, commandCluster } from './cluster.ts';

const text = { type: 'string' };
const keyed = { type: 'object', required: ['k'], properties: { k: text, count: { type: 'integer' } } };

for (const naming of namings) {
  const names = namesFor(naming);
  const x = names.schemaExtensions;
  /** A field with each extension of schemas, its type in `explain`, and the fields below it. */
  const fields: Readonly<
    Record<string, { readonly schema: object; readonly type: string; readonly below?: readonly string[] }>
  > = {
    // A schema without one type, as kubectl shows it.
    either: { schema: { [x.intOrString]: true }, type: 'Object' },
    free: { schema: { type: 'object', [x.preserveUnknownFields]: true }, type: 'Object' },
    embedded: {
      schema: { type: 'object', [x.embeddedResource]: true, properties: { spec: text } },
      type: 'Object',
      below: ['apiVersion', 'kind', 'metadata', 'spec'],
    },
    set: { schema: { type: 'array', [x.listType]: 'set', items: text }, type: '[]string' },
    list: {
      schema: { type: 'array', [x.listType]: 'map', [x.listMapKeys]: ['k'], items: keyed },
      type: '[]Object',
      below: ['k', 'count'],
    },
    map: {
      schema: { type: 'object', [x.mapType]: 'atomic', properties: { a: text } },
      type: 'Object',
      below: ['a'],
    },
    ruled: { schema: { type: 'integer', [x.validations]: [{ rule: 'self > 0' }] }, type: 'integer' },
  };
  const described = Object.fromEntries(
    Object.entries(fields).map(([name, { schema }]) => [name, { ...schema, description: `About ${name}.` }]),
  );
  const definition = {
    apiVersion: names.apiVersion('apiextensions', 'v1'),
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gadgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' },
      versions: [
        {
          ...{ name: 'v1', served: true, storage: true },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', required: ['set'], properties: described } },
            },
          },
        },
      ],
    },
  };

  describe(`orchctl explain of a custom kind, --naming=${naming}`, () => {
    let cluster: CommandCluster;
    const run = async (line: string): Promise<string> => {
      const { status, out, err } = await cluster.orchctl(line.split(' '));
      assert.deepEqual([status, err], [0, ''], line);
      return out;
    };
    before(async () => {
      cluster = await commandCluster(naming, { args: ['--emulated-version=1.27'] });
      writeFileSync(join(cluster.folder, 'definition.json'), JSON.stringify(definition));
      await run('create -f definition.json');
      await until(async () => {
        const { status } = await cluster.orchctl(['explain', 'gadgets.spec']);
        return status === 0;
      }, 'the kind is published');
    });
    after(() => cluster[Symbol.asyncDispose]());

    for (const output of ['plaintext', 'plaintext-openapiv2'])
      for (const [name, { below = [], type }] of Object.entries(fields)) {
        it(`orchctl explain of a custom kind shows the type of ${name} with --output=${output}`, async () => {
          const page = await run(`explain gadget.spec.${name} --output=${output}`);
          assert.match(page, new RegExp(`^FIELD: ${name} <`, 'm'));
          assert.match(page, new RegExp(`About ${name}\\.`));
          // Version 2 knows nothing below objects whose other fields are preserved.
          if (output === 'plaintext') {
            assert.match(page, new RegExp(`^FIELD: ${name} <${type.replace('[]', '\\[\\]')}>`, 'm'));
            for (const field of below) assert.match(page, new RegExp(`^ {2}${field}\\t<`, 'm'));
          }
        });
      }

    it('orchctl explain of a custom kind shows all fields with their types, and which of them are required', async () => {
      const page = await run('explain gadgets.spec --recursive');
      for (const [name, { type }] of Object.entries(fields))
        assert.ok(page.includes(`  ${name}\t<${type}>`), page);
      assert.match(page, /^ {2}set\t<\[\]string> -required-$/m);
    });
  });
}
