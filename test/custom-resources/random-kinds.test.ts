import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { namesFor } from '@orch/machinery';
import { isJsonObject, type JsonObject, parseJson } from '@orch/machinery/json';
import { seededRandom, until } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import type { Answered } from '@orch/registry/testing';
import { RandomStructural, SlowStructural } from '@orch/schema/testing';
import { ApiFixture } from '@orch/server/testing';

const SEED = Number(process.env['SEED'] ?? 1);
const KINDS = Number(process.env['KINDS'] ?? 25);
const OBJECTS = 6;

const names = namesFor('orch');
const slow = new SlowStructural(names);
const DEFINITIONS = `/apis/${names.apiVersion('apiextensions', 'v1')}/customresourcedefinitions`;
const GROUP = 'random.example.com';
const versions = ['v1', 'v2'] as const;
type Version = (typeof versions)[number];

/** A schema without what the slow reference does not support. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (!isJsonObject(schema)) return schema;
  const { format: _format, [names.schemaExtensions.validations]: _rules, ...left } = schema;
  return Object.fromEntries(
    Object.entries(left).map(([name, value]) => [name, name === 'default' ? value : plain(value)]),
  );
}

const isKnown = (schema: JsonObject): boolean =>
  !JSON.stringify(schema).includes(names.schemaExtensions.embeddedResource);

/** A kind with two versions, each with a random schema; `v1` is stored. */
class RandomKind {
  readonly plural: string;
  readonly schemas: Readonly<Record<Version, JsonObject>>;

  constructor(index: number, schemas: Readonly<Record<Version, JsonObject>>) {
    this.plural = `kinds${index}`;
    this.schemas = schemas;
  }

  get kind(): string {
    return `K${this.plural}`;
  }

  path(version: Version, name = ''): string {
    return `/apis/${GROUP}/${version}/namespaces/default/${this.plural}${name === '' ? '' : `/${name}`}`;
  }

  definition(): object {
    return {
      apiVersion: names.apiVersion('apiextensions', 'v1'),
      kind: 'CustomResourceDefinition',
      metadata: { name: `${this.plural}.${GROUP}` },
      spec: {
        group: GROUP,
        scope: 'Namespaced',
        names: { plural: this.plural, kind: this.kind },
        versions: versions.map((name) => ({
          name,
          served: true,
          storage: name === 'v1',
          schema: { openAPIV3Schema: this.schemas[name] },
        })),
      },
    };
  }

  body(version: Version, name: string, content: JsonObject): JsonObject {
    return { ...content, apiVersion: `${GROUP}/${version}`, kind: this.kind, metadata: { name } };
  }

  /** The stored object as a version shows it. */
  shown(version: Version, stored: JsonObject): JsonObject {
    return slow.stored(stored, this.schemas[version]) as JsonObject;
  }
}

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const contentOf = (object: JsonObject): unknown => {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...content } = object;
  return json(content);
};
/** With exact numbers, and with every name as a field. */
const parsed = ({ text }: Answered): JsonObject => parseJson(Buffer.from(text)) as JsonObject;

/** Two replicas that serve random kinds, whose definitions are accepted. */
async function openWith(kinds: readonly RandomKind[]) {
  const first = await ApiFixture.open();
  const second = await ApiFixture.open({ store: first.model, env: first.env });
  const served: RandomKind[] = [];
  for (const kind of kinds) {
    const { status } = await first.post(DEFINITIONS, kind.definition());
    // Some random schemas are not valid schemas of definitions: defaults that do not fit, for example.
    if (status === 201) served.push(kind);
  }
  for (const { plural } of served)
    await until(
      async () => (await second.get(`${DEFINITIONS}/${plural}.${GROUP}`)).text.includes('"Established"'),
      `${plural} is established`,
    );
  return {
    first,
    second,
    served,
    async [Symbol.asyncDispose]() {
      await second[Symbol.asyncDispose]();
      await first[Symbol.asyncDispose]();
    },
  };
}

describe('random custom kinds compared with a slow and obvious reference', { timeout: 180_000 }, () => {
  it(`writes and reads agree in both versions, content types and replicas, seed ${SEED}`, async (t) => {
    const random = seededRandom(SEED);
    const values = new RandomStructural(random, names);
    const kinds: RandomKind[] = [];
    while (kinds.length < KINDS) {
      const [v1, v2] = [plain(values.rootSchema()), plain(values.rootSchema())] as [JsonObject, JsonObject];
      if (isKnown(v1) && isKnown(v2)) kinds.push(new RandomKind(kinds.length, { v1, v2 }));
    }
    await using replicas = await openWith(kinds);
    const { first, second, served } = replicas;
    let stored = 0;
    let refused = 0;

    /** Every way to read an object shows the same, in each version. */
    async function readsShow(kind: RandomKind, name: string, content: JsonObject): Promise<void> {
      await Promise.all([first.settled(), second.settled()]);
      for (const api of [first, second])
        for (const version of versions) {
          const expected = json(kind.shown(version, content));
          const title = `${kind.plural} ${version} ${JSON.stringify([kind.schemas, content])}`;
          const read = await api.get(kind.path(version, name));
          assert.deepEqual(contentOf(parsed(read)), expected, title);
          const yaml = await api.send('GET', kind.path(version, name), { accept: 'application/yaml' });
          assert.equal(yaml.text, encodeYaml(parsed(read)), title);
          const list = parsed(await api.get(kind.path(version)))['items'] as readonly JsonObject[];
          const item = list.find(({ metadata }) => isJsonObject(metadata) && metadata['name'] === name);
          assert.deepEqual(json(item), json(parsed(read)), title);
          const watch = await api.watch(
            `${kind.path(version)}?watch=true&fieldSelector=metadata.name%3D${name}`,
          );
          await watch.until(1);
          watch.stop();
          assert.deepEqual(contentOf(watch.events[0].object), expected, title);
        }
    }

    /** Writes an object, which is stored if it is valid. Returns what is stored then. */
    async function write(
      kind: RandomKind,
      version: Version,
      send: (body: JsonObject) => Promise<Answered>,
      name: string,
    ) {
      const schema = kind.schemas[version];
      const content = values.objectValue(schema);
      const decoded = kind.shown(version, content);
      // Fields that the storage version does not declare are validated but not kept.
      const kept = kind.shown('v1', decoded);
      const expected = kind.shown(version, kept);
      const answer = await send(kind.body(version, name, content));
      const title = `${kind.plural} ${version} ${JSON.stringify([kind.schemas, content])}: ${answer.text}`;
      const isValid = slow.isValid(decoded, schema) && slow.isValid(expected, schema);
      assert.equal(answer.status < 300, isValid, title);
      if (!isValid) {
        assert.equal(answer.status, 422, title);
        refused++;
        return undefined;
      }
      assert.deepEqual(contentOf(parsed(answer)), json(expected), title);
      stored++;
      return kept;
    }

    for (const kind of served)
      for (let i = 0; i < OBJECTS; i++) {
        const name = `o-${i}`;
        const version = versions[i % 2] ?? 'v1';
        const isYaml = random.int(2) === 0;
        const encoded = (body: JsonObject): object =>
          isYaml ? { body: encodeYaml(body), contentType: 'application/yaml' } : { body };
        const created = await write(
          kind,
          version,
          (body) => first.send('POST', kind.path(version), encoded(body)),
          name,
        );
        if (created === undefined) continue;
        await readsShow(kind, name, created);
        const before = parsed(await second.get(kind.path(version, name)));
        const same = await second.put(kind.path(version, name), before);
        assert.equal(same.status, 200, same.text);
        // Defaults of the other version are stored when they are written back.
        if (isDeepStrictEqual(json(kind.shown('v1', kind.shown(version, created))), json(created)))
          assert.deepEqual(json(parsed(same)), json(before), 'an update without changes writes nothing');
        const replaced = await write(
          kind,
          version,
          (body) =>
            second.send(
              'PUT',
              kind.path(version, name),
              encoded({ ...body, metadata: parsed(same)['metadata'] }),
            ),
          name,
        );
        if (replaced !== undefined) await readsShow(kind, name, replaced);
      }
    t.diagnostic(`${served.length} kinds, ${stored} writes stored, ${refused} refused`);
    assert.ok(served.length > KINDS / 4 && stored > OBJECTS && refused > OBJECTS);
  });
});
