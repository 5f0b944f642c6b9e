import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { f, items, struct } from '../../declare.ts';
import { parsed, v2, v2Text, v3 } from '../../testing/parsed-documents.ts';
import { widgetApi } from '../../testing/widget-api.ts';
import { openApi } from '../documents.ts';
import type { OpenApiInput, OpenApiResource } from '../input.ts';

describe('definitions of OpenAPI', () => {
  const spec = 'io.orch.api.test.v1.WidgetSpec';

  it('definitions contain the kinds, their lists, and all referenced types', async () => {
    const definitions = (await v2())['definitions'] ?? {};
    assert.deepEqual(Object.keys(definitions).sort(), [
      'io.orch.api.autoscaling.v1.Scale',
      'io.orch.api.coordination.v1.Cluster',
      'io.orch.api.coordination.v1.ClusterList',
      'io.orch.api.test.v1.Port',
      'io.orch.api.test.v1.Probe',
      'io.orch.api.test.v1.Tree',
      'io.orch.api.test.v1.Widget',
      'io.orch.api.test.v1.WidgetList',
      'io.orch.api.test.v1.WidgetSpec',
      'io.orch.api.test.v1.WidgetStatus',
      'io.orch.apimachinery.pkg.api.resource.Quantity',
      ...['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions'].map(
        (kind) => `io.orch.apimachinery.pkg.apis.meta.v1.${kind}`,
      ),
      'io.orch.apimachinery.pkg.apis.meta.v1.DeleteOptions',
      'io.orch.apimachinery.pkg.apis.meta.v1.Duration',
      'io.orch.apimachinery.pkg.apis.meta.v1.ListMeta',
      'io.orch.apimachinery.pkg.apis.meta.v1.MicroTime',
      'io.orch.apimachinery.pkg.apis.meta.v1.ObjectMeta',
      'io.orch.apimachinery.pkg.apis.meta.v1.OwnerReference',
      'io.orch.apimachinery.pkg.apis.meta.v1.Patch',
      'io.orch.apimachinery.pkg.apis.meta.v1.Status',
      'io.orch.apimachinery.pkg.apis.meta.v1.Time',
      'io.orch.apimachinery.pkg.apis.meta.v1.WatchEvent',
      'io.orch.apimachinery.pkg.util.intstr.IntOrString',
      'io.orch.apimachinery.pkg.version.Info',
    ]);
  });

  it('the definition of a kind contains its description and group version kind', async () => {
    const kind = { description: 'Kind is a string value that names the type of the object.', type: 'string' };
    const apiVersion = {
      description: 'APIVersion defines the group and version in which the object is written.',
      type: 'string',
    };
    assert.deepEqual((await v2())['definitions']?.['io.orch.api.test.v1.Widget'], {
      description: 'A thing to test with.',
      type: 'object',
      properties: {
        apiVersion,
        kind,
        metadata: {
          description: 'Name and labels.',
          $ref: '#/definitions/io.orch.apimachinery.pkg.apis.meta.v1.ObjectMeta',
        },
        spec: { description: 'What the owner wants.', $ref: `#/definitions/${spec}` },
        status: { $ref: '#/definitions/io.orch.api.test.v1.WidgetStatus' },
      },
      'x-orch-group-version-kind': [{ group: '', kind: 'Widget', version: 'v1' }],
    });
    assert.deepEqual((await v2())['definitions']?.['io.orch.api.test.v1.WidgetList']?.['required'], [
      'items',
    ]);
  });

  it('definitions describe fields of every type', async () => {
    const properties = (await v2())['definitions']?.[spec]?.['properties'] ?? {};
    const reference = (name: string) => ({ $ref: `#/definitions/io.orch.${name}` });
    const quantity = reference('apimachinery.pkg.api.resource.Quantity');
    for (const [name, expected] of [
      ['replicas', { type: 'integer', format: 'int32' }],
      ['large', { type: 'integer', format: 'int64' }],
      ['ratio', { type: 'number', format: 'double' }],
      ['paused', { type: 'boolean' }],
      ['key', { type: 'string', format: 'byte' }],
      ['mode', { type: 'string', enum: ['Fast', 'Slow'] }],
      ['size', quantity],
      ['limits', { type: 'object', additionalProperties: quantity }],
      ['args', { type: 'array', items: { type: 'string' }, 'x-orch-list-type': 'atomic' }],
      ['since', reference('apimachinery.pkg.apis.meta.v1.Time')],
      ['extra', { type: 'object' }],
      ['anything', {}],
      ['name', { type: 'string' }],
      ['image', { description: 'What to run.', type: 'string' }],
      ['tree', reference('api.test.v1.Tree')],
      ['selector', { type: 'object', additionalProperties: { type: 'string' }, 'x-orch-map-type': 'atomic' }],
      [
        'ports',
        {
          type: 'array',
          items: reference('api.test.v1.Port'),
          'x-orch-list-map-keys': ['port', 'protocol'],
          'x-orch-list-type': 'map',
          'x-orch-patch-merge-key': 'port',
          'x-orch-patch-strategy': 'merge',
        },
      ],
    ] as const) {
      assert.deepEqual(properties[name], expected, name);
    }
  });

  it('fields that are always present are required, unless declared otherwise', async () => {
    const definitions = (await v2())['definitions'] ?? {};
    assert.deepEqual(definitions['io.orch.api.test.v1.Port']?.['required'], ['port']);
    assert.deepEqual(definitions['io.orch.api.test.v1.WidgetStatus']?.['required'], ['ready']);
    assert.equal(definitions[spec]?.['required'], undefined);
  });

  it('version 3 puts references in allOf, contains defaults, and allows numbers as quantities', async () => {
    const schemas = (await v3('api/v1'))['components']?.['schemas'] ?? {};
    assert.deepEqual(schemas['io.orch.api.test.v1.Widget']?.['properties']?.['spec'], {
      description: 'What the owner wants.',
      allOf: [{ $ref: `#/components/schemas/${spec}` }],
    });
    assert.deepEqual(schemas[spec]?.['properties']?.['mode'], {
      type: 'string',
      enum: ['Fast', 'Slow'],
      default: 'Fast',
    });
    assert.deepEqual(schemas['io.orch.apimachinery.pkg.api.resource.Quantity']?.['oneOf'], [
      { type: 'string' },
      { type: 'number' },
    ]);
  });

  it('definitions have the names of the naming of the server', async () => {
    const definitions = (await v2('kubernetes'))['definitions'] ?? {};
    const widget = definitions['io.k8s.api.test.v1.Widget'];
    assert.deepEqual(widget?.['x-kubernetes-group-version-kind'], [
      { group: '', kind: 'Widget', version: 'v1' },
    ]);
    const properties = definitions['io.k8s.api.test.v1.WidgetSpec']?.['properties'] ?? {};
    assert.equal('kubeletVersion' in properties && !('nodeagentVersion' in properties), true);
    assert.equal((await v2Text(widgetApi('kubernetes'))).includes('x-orch-'), false);
  });

  it('two schemas with the same name are an error', async () => {
    const api = widgetApi();
    const [widget, other] = api.resources;
    const copy = struct('test.v1.Widget', 'Another.', {});
    const resources = [widget, other && { ...other, schema: copy }].filter((r) => r !== undefined);
    await assert.rejects(
      openApi({ ...api, resources }).v2Json(),
      /two schemas are called io.orch.api.test.v1.Widget/,
    );
  });

  it('definitions do not contain fields of other releases', async () => {
    assert.equal((await v2Text(widgetApi())).includes('"later"'), true);
    const includes: OpenApiInput['includes'] = (field) => field.since === undefined;
    assert.equal((await v2Text({ ...widgetApi(), includes })).includes('"later"'), false);
  });

  it('the types of lists, required fields and names of structs are those of the release', async () => {
    const Earlier = struct('test.v1.Earlier', 'A part.', { size: f.int32(1, { doc: 'How large.' }) });
    const Later = struct(
      'test.v1.Later',
      'A part.',
      { size: f.int32(1, { doc: 'How large.', openapiRequired: { since: '1.30', is: true } }) },
      { mapType: 'atomic', mapTypeSince: '1.30', formerly: { before: '1.29', schema: Earlier } },
    );
    const Gadget = struct('test.v1.Gadget', 'A gadget.', {
      part: f.struct(1, Later, { doc: 'A part.' }),
      parts: f.list(2, Later, { doc: 'Parts.', patchStrategy: 'merge', patchMergeKey: 'size' }),
      tags: f.list(3, items.string, { doc: 'Tags.', patchStrategy: 'merge' }),
      words: f.list(4, items.string, { doc: 'Words.' }),
      split: f.struct(5, Later, { doc: 'A part.', granularSince: '1.29' }),
    });
    const base = widgetApi();
    const resources = base.resources.slice(0, 1).map((one) => ({ ...one, schema: Gadget, kind: 'Gadget' }));
    const definitionsIn = async (release: number) => {
      const includes: OpenApiInput['includes'] = ({ since = '1.0' }) => Number(since.slice(2)) <= release;
      return (await parsed(openApi({ ...base, resources, includes }).v2Json()))['definitions'] ?? {};
    };
    const typesIn = async (release: number): Promise<unknown> => {
      const properties = (await definitionsIn(release))['io.orch.api.test.v1.Gadget']?.['properties'];
      return ['parts', 'tags', 'words'].map((name) => properties?.[name]?.['x-orch-list-type']);
    };
    assert.deepEqual(
      [await typesIn(29), await typesIn(30)],
      [
        [undefined, undefined, undefined],
        ['map', 'set', 'atomic'],
      ],
    );
    const splitIn = async (release: number): Promise<unknown> => {
      const properties = (await definitionsIn(release))['io.orch.api.test.v1.Gadget']?.['properties'];
      return properties?.['split']?.['x-orch-map-type'];
    };
    assert.deepEqual([await splitIn(28), await splitIn(29)], [undefined, 'granular']);
    const partIn = async (release: number): Promise<unknown> => {
      const definitions = await definitionsIn(release);
      return Object.keys(definitions)
        .filter((name) => /Earlier|Later/.test(name))
        .map((name) => [
          name.split('.').at(-1),
          definitions[name]?.['required'],
          definitions[name]?.['x-orch-map-type'],
        ]);
    };
    assert.deepEqual(await partIn(28), [['Earlier', undefined, undefined]]);
    assert.deepEqual(await partIn(29), [['Later', undefined, undefined]]);
    assert.deepEqual(await partIn(30), [['Later', ['size'], 'atomic']]);
  });

  it('how patches and applies merge a field is published in the releases that say so', async () => {
    const Part = struct('test.v1.Part', 'A part.', {
      key: f.string(1, { doc: 'A key.', patchMergeKey: 'key', patchShownUntil: '1.28' }),
      share: f.string(2, { doc: 'A share.', since: '1.30' }),
    });
    const Gadget = struct('test.v1.Gadget', 'A gadget.', {
      parts: f.list(1, Part, { doc: 'Parts.', listType: 'map', mapKeys: ['key', 'share'] }),
      words: f.list(2, items.string, { doc: 'Words.', atomic: { since: '1.27', until: '1.29' } }),
    });
    const base = widgetApi();
    const resources = base.resources.slice(0, 1).map((one) => ({ ...one, schema: Gadget, kind: 'Gadget' }));
    const marksIn = async (release: number): Promise<unknown> => {
      const includes: OpenApiInput['includes'] = ({ since = '1.0' }) => Number(since.slice(2)) <= release;
      const { definitions } = await parsed(openApi({ ...base, resources, includes }).v2Json());
      const [gadget, part] = ['Gadget', 'Part'].map(
        (name) => definitions?.[`io.orch.api.test.v1.${name}`]?.['properties'],
      );
      return [
        part?.['key']?.['x-orch-patch-merge-key'],
        gadget?.['words']?.['x-orch-list-type'],
        gadget?.['parts']?.['x-orch-list-map-keys'],
      ];
    };
    assert.deepEqual(await marksIn(26), ['key', undefined, ['key']]);
    assert.deepEqual(await marksIn(27), ['key', 'atomic', ['key']]);
    assert.deepEqual(await marksIn(29), [undefined, undefined, ['key']]);
    assert.deepEqual(await marksIn(30), [undefined, 'atomic', ['key', 'share']]);
  });

  it('the values of strings are published in the releases that list them, unless none are wanted', async () => {
    const Gadget = struct('test.v1.Gadget', 'A gadget.', {
      mode: f.string(1, { enum: ['Fast', 'Slow'], openapiEnum: { since: '1.27' } }),
      phase: f.string(2, { openapiEnum: { values: ['Done', 'New'] } }),
      uses: f.list(3, items.string, {
        openapiEnum: { values: ['a', 'b'], formerly: { before: '1.30', values: ['a'] } },
      }),
      states: f.map(4, items.string, { enum: ['Off', 'On'] }),
      hidden: f.string(5, { enum: ['None'], openapiEnum: 'never' }),
    });
    const base = widgetApi();
    const resources = base.resources.slice(0, 1).map((one) => ({ ...one, schema: Gadget, kind: 'Gadget' }));
    const valuesIn = async (release: number, listedValues = true): Promise<Record<string, unknown>> => {
      const includes: OpenApiInput['includes'] = ({ since = '1.0' }) => Number(since.slice(2)) <= release;
      const input = { ...base, resources, includes, listedValues };
      const { definitions } = await parsed(openApi(input).v2Json());
      const properties = definitions?.['io.orch.api.test.v1.Gadget']?.['properties'] ?? {};
      return Object.fromEntries(
        Object.entries(properties).flatMap(([name, field]) => {
          const values = (field['items'] ?? field['additionalProperties'] ?? field)['enum'];
          return values === undefined ? [] : [[name, values]];
        }),
      );
    };
    const always = { phase: ['Done', 'New'], states: ['Off', 'On'] };
    assert.deepEqual(await valuesIn(24), { ...always, uses: ['a'] });
    assert.deepEqual(await valuesIn(27), { ...always, uses: ['a'], mode: ['Fast', 'Slow'] });
    assert.deepEqual(await valuesIn(30), { ...always, uses: ['a', 'b'], mode: ['Fast', 'Slow'] });
    assert.deepEqual(await valuesIn(30, false), {});
  });

  it('definitions contain deprecations and notes on fields', async () => {
    const noteOn: OpenApiInput['noteOn'] = ({ name }) => (name === 'large' ? 'Beware.' : undefined);
    const document = await parsed(openApi({ ...widgetApi(), noteOn }).v2Json());
    assert.equal(document['definitions']?.[spec]?.['properties']?.['large']?.['description'], 'Beware.');
  });
});

describe('definitions of versions that share a schema', () => {
  const Part = struct('test.v1.Part', 'A part.', { size: f.int32(1, { doc: 'How large.' }) });
  const Job = struct('test.v1.Job', 'Work.', { part: f.struct(1, Part, { doc: 'A part.' }) });
  const Gadget = struct(
    'test.v1.Gadget',
    'A gadget.',
    {
      part: f.struct(1, Part, { doc: 'A part.' }),
      job: f.struct(2, Job, { doc: 'Work.', shared: true }),
      raw: f.struct(3, { kind: 'scalar', type: 'object', name: 'test.v1.Raw', doc: 'Anything.' }),
    },
    { typeMeta: true, unions: [{ discriminator: 'kind', fields: { part: 'Part' } }] },
  );
  const served = (version: string, group = 'test'): OpenApiResource => ({
    group: group === 'test' ? 'test.io' : `${group}.io`,
    version,
    kind: 'Gadget',
    resource: 'gadgets',
    namespaced: true,
    verbs: ['get', 'list'],
    schema: Gadget,
    home: { package: group, version, of: [group, 'test'] },
    subresources: [],
  });
  const documented = (resources: readonly OpenApiResource[]) =>
    parsed(openApi({ ...widgetApi(), resources }).v2Json());
  const prefix = 'io.orch.api.';

  it('definitions of a shared schema are named after the serving version, including nested types', async () => {
    const { definitions = {} } = await documented([
      served('v1'),
      served('v1beta1'),
      served('v1beta1', 'old'),
    ]);
    const own = Object.keys(definitions).filter((name) => name.startsWith(prefix));
    const of = (place: string) =>
      ['Gadget', 'GadgetList', 'Part', 'Raw'].map((kind) => `${prefix}${place}.${kind}`);
    const expected = [...of('old.v1beta1'), `${prefix}test.v1.Job`, ...of('test.v1'), ...of('test.v1beta1')];
    assert.deepEqual(own.sort(), expected.sort());
    for (const [place, group, version] of [
      ['test.v1beta1', 'test.io', 'v1beta1'],
      ['old.v1beta1', 'old.io', 'v1beta1'],
    ] as const) {
      const gadget = definitions[`${prefix}${place}.Gadget`];
      assert.deepEqual(gadget?.['x-orch-group-version-kind'], [{ group, kind: 'Gadget', version }]);
      const { part, job } = gadget?.['properties'] ?? {};
      assert.equal(part?.['$ref'], `#/definitions/${prefix}${place}.Part`);
      assert.equal(job?.['$ref'], `#/definitions/${prefix}test.v1.Job`);
    }
    const job = definitions[`${prefix}test.v1.Job`]?.['properties'];
    assert.equal(job?.['part']?.['$ref'], `#/definitions/${prefix}test.v1.Part`);
  });

  it('definitions contain the unions of their fields', async () => {
    const { definitions = {} } = await documented([served('v1')]);
    assert.deepEqual(definitions[`${prefix}test.v1.Gadget`]?.['x-orch-unions'], [
      { discriminator: 'kind', 'fields-to-discriminateBy': { part: 'Part' } },
    ]);
  });
});
