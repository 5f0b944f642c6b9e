import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { isJsonObject } from '@orch/machinery/json';
import { parseYaml } from '@orch/machinery/yaml';
import { chunkPayload, localRequest } from '@orch/request';
import {
  codecCompiler,
  EnvelopeWriter,
  f,
  messageField,
  openEnvelope,
  protobufCompiler,
  struct,
} from '@orch/schema';
import { Gadget, noteKey, OldGadget, tagsKey } from '../testing/gadget-rows.ts';
import {
  assertGadget,
  at,
  expectedGadget,
  type GadgetVersion,
  isOld,
  type Json,
  openGadgets,
  posted,
  versions,
} from '../testing/gadgets.ts';

const orch = namesFor('orch');
const protobuf = orch.mediaTypes.protobuf;
const as = (kind: string): string => `application/json;as=${kind};g=meta.orch.io;v=v1`;
const schemaOf = (version: GadgetVersion) => (isOld(version) ? OldGadget : Gadget);
const messages = protobufCompiler(orch);
const codecs = codecCompiler(orch);

const opened = (bytes: Buffer, version: GadgetVersion): Json => {
  const { kind, apiVersion, raw } = openEnvelope(bytes);
  const message = messages.compile(schemaOf(version)).decode(raw);
  return codecs.compile(schemaOf(version)).decode({ kind, apiVersion, ...message }).value;
};

const EVENT = struct('test.v1.Event', 'An event.', {
  type: f.string(1),
  object: f.struct(2, struct('test.v1.Raw', 'Bytes.', { raw: f.bytes(1) })),
});

/** In the order of lists. */
const names = ['a', 'b', 'c'];

/** The stored version is the hub in 1.21, has the same schema in 1.20, and a separate schema in 1.18, as all served versions. */
for (const release of ['1.18', '1.20', '1.21']) {
  const served = versions.filter((version) => release !== '1.18' || isOld(version));
  const seeded = async () => {
    const api = await openGadgets(release);
    for (const [i, name] of names.entries()) {
      const version = served[i % served.length] ?? 'apps/v1beta1';
      const made = await api.post(at(version), posted(version, name));
      assert.equal(made.status, 201, made.text);
    }
    await api.settled();
    return api;
  };

  describe(`reads in every version, release ${release}`, () => {
    for (const version of served) {
      const size = isOld(version) ? 'replicas' : 'size';
      const metadataOf = (object: Json): Json => object.metadata.annotations;

      it(`${version}: lists, pages and lists at a revision contain objects of that version`, async () => {
        await using api = await seeded();
        const check = (list: Json, expected: readonly string[]): void => {
          assert.deepEqual([list.kind, list.apiVersion], ['GadgetList', version]);
          assert.deepEqual(
            list.items.map((item: Json) => item.metadata.name),
            expected,
          );
          for (const item of list.items) assertGadget(item, version);
        };
        const whole = await api.get(at(version));
        check(whole.json, names);
        const first = await api.get(`${at(version)}?limit=2`);
        check(first.json, ['a', 'b']);
        await api.patch(at('apps/v1beta1', 'c'), { spec: { replicas: 70 } });
        await api.delete(at('extensions/v1beta1', 'b'));
        await api.settled();
        const token = first.json.metadata.continue;
        for (const other of served) {
          const rest = await api.get(`${at(other)}?limit=2&continue=${token}`);
          assert.deepEqual(
            rest.json.items.map((item: Json) => item.metadata.name),
            ['c'],
            other,
          );
          assertGadget(rest.json.items[0], other, 'the token of one version goes on in another');
        }
        const then = `resourceVersion=${whole.json.metadata.resourceVersion}&resourceVersionMatch=Exact`;
        check((await api.get(`${at(version)}?${then}`)).json, names);
        const now = await api.get(at(version));
        assert.deepEqual(
          now.json.items.map((item: Json) => item.spec[size]),
          [5, 70],
        );
      });

      it(`${version}: watches show changes made in all others, deleted objects included`, async () => {
        await using api = await seeded();
        const watch = await api.watch(`${at(version)}?watch=1&resourceVersion=0`);
        await watch.until(3);
        for (const event of watch.events) assertGadget(event.object, version, event.type);
        for (const other of served)
          await api.patch(at(other, 'a'), { metadata: { labels: { by: other.replace('/', '.') } } });
        await api.delete(at('apps/v1beta1', 'a'));
        await watch.until(4 + served.length);
        const later = watch.events.slice(3);
        assert.deepEqual(
          later.map(({ type }: Json) => type),
          [...served.map(() => 'MODIFIED'), 'DELETED'],
        );
        for (const { object } of later) assertGadget(object, version);
        const changes = later.map(({ object }: Json) => object.metadata.labels.by);
        assert.deepEqual(
          changes.slice(0, -1),
          served.map((other) => other.replace('/', '.')),
        );
        const revisions = later.map(({ object }: Json) => Number(object.metadata.resourceVersion));
        assert.deepEqual(
          revisions,
          revisions.toSorted((a: number, b: number) => a - b),
        );
        assert.equal(new Set(revisions).size, revisions.length);
        watch.stop();
        await watch.ended.catch(() => {});
      });

      it(`${version}: tables have the cells of the hub and the object of the version`, async () => {
        await using api = await seeded();
        for (const [include, objectOf] of [
          ['None', () => null],
          ['Metadata', (row: Json) => metadataOf(row.object)],
          ['Object', (row: Json) => row.object.spec],
        ] as const) {
          const expected = {
            None: null,
            Metadata: expectedGadget(version).annotations,
            Object: expectedGadget(version).spec,
          };
          for (const target of [at(version), at(version, 'b')]) {
            const table = await api.get(`${target}?includeObject=${include}`, { accept: as('Table') });
            assert.equal(table.json.kind, 'Table', table.text);
            for (const row of table.json.rows) {
              assert.deepEqual(row.cells.slice(1), [5]);
              assert.deepEqual(objectOf(row), expected[include], `${include} ${target}`);
              if (include === 'Object') assert.equal(row.object.apiVersion, version);
            }
          }
        }
        const watch = await api.watch(`${at(version)}?watch=1`, { accept: as('Table') });
        await watch.until(3);
        for (const { object } of watch.events) {
          assert.deepEqual(object.rows[0].cells.slice(1), [5]);
          assert.deepEqual(metadataOf(object.rows[0].object), expectedGadget(version).annotations);
        }
        watch.stop();
        await watch.ended.catch(() => {});
      });

      it(`${version}: partial metadata is the metadata of the version`, async () => {
        await using api = await seeded();
        const list = await api.get(at(version), { accept: as('PartialObjectMetadataList') });
        assert.equal(list.json.items.length, 3);
        for (const item of list.json.items)
          assert.deepEqual(metadataOf(item), expectedGadget(version).annotations);
        const one = await api.get(at(version, 'a'), { accept: as('PartialObjectMetadata') });
        assert.deepEqual(metadataOf(one.json), expectedGadget(version).annotations);
        const packed = await api.get(at(version, 'a'), {
          accept: `${protobuf};as=PartialObjectMetadata;g=meta.orch.io;v=v1`,
        });
        // As the key of an annotation: managed fields contain both.
        const found = [noteKey, tagsKey].filter((key) =>
          packed.bytes.includes(`\n${String.fromCharCode(key.length)}${key}`),
        );
        assert.deepEqual(found, [isOld(version) ? noteKey : tagsKey]);
      });

      it(`${version}: Protobuf and YAML encode and decode the same objects as JSON`, async () => {
        await using api = await seeded();
        const json = (await api.get(at(version, 'b'))).json;
        const message = await api.get(at(version, 'b'), { accept: protobuf });
        assert.deepEqual(opened(message.bytes, version), json);
        const yaml = await api.get(at(version, 'b'), { accept: 'application/yaml' });
        assert.deepEqual(JSON.parse(JSON.stringify(parseYaml(yaml.bytes))), json);
        const yamlList = await api.get(at(version), { accept: 'application/yaml' });
        const items = (parseYaml(yamlList.bytes) as Json).items;
        for (const item of items) assertGadget(JSON.parse(JSON.stringify(item)), version);

        const body = { ...json, spec: { ...json.spec, [size]: 6 } };
        const field = messageField(messages.compile(schemaOf(version)), body);
        const put = await api.put(at(version, 'b'), new EnvelopeWriter('Gadget', version).wrap(field), {
          contentType: protobuf,
          accept: protobuf,
        });
        assert.equal(put.status, 200, put.text);
        assert.deepEqual(opened(put.bytes, version).spec, body.spec);
        assert.equal((await api.get(at('apps/v1beta1', 'b'))).json.spec.replicas, 6);
        const list = openEnvelope((await api.get(at(version), { accept: protobuf })).bytes);
        assert.deepEqual([list.kind, list.apiVersion], ['GadgetList', version]);
        assert.equal(list.raw.includes(isOld(version) ? noteKey : tagsKey), true);
      });

      it(`${version}: Protobuf watches send messages of the version`, async () => {
        await using api = await seeded();
        const reply = await api.raw(
          localRequest({
            method: 'GET',
            target: `${at(version)}?watch=1&resourceVersion=0`,
            headers: { accept: `${protobuf};stream=watch` },
          }),
        );
        assert.ok(reply.kind === 'stream');
        const frames: Buffer[] = [];
        const over = new AbortController();
        const take = (bytes: Buffer): boolean => frames.push(bytes) > 0;
        const running = reply.run(
          {
            write: take,
            writeFramed: (some) => some.map((frame) => take(Buffer.from(chunkPayload(frame)))).every(Boolean),
            drained: async () => {},
          },
          { signal: over.signal, draining: new AbortController().signal },
        );
        for (let turn = 0; turn < 100 && frames.length < 3; turn++)
          await api.settled().then(() => new Promise(setImmediate));
        over.abort(new Error('enough'));
        await running.catch(() => {});
        assert.equal(frames.length, 3);
        for (const frame of frames) {
          const event = messages.compile(EVENT).decode(frame.subarray(4));
          const raw = isJsonObject(event['object']) ? String(event['object']['raw']) : '';
          assertGadget(opened(Buffer.from(raw, 'base64'), version), version);
        }
      });

      it(`${version}: field selectors use the field names of the version and select on the hub`, async () => {
        await using api = await seeded();
        await api.patch(at(version, 'b'), { spec: { mode: 'Ignore' } });
        await api.settled();
        const label = version === 'extensions/v1beta1' ? 'spec.behaviour' : 'spec.mode';
        const select = async (selector: string) =>
          api.get(`${at(version)}?fieldSelector=${encodeURIComponent(selector)}`);
        const namesOf = ({ json }: Json) => json.items.map((item: Json) => item.metadata.name);
        assert.deepEqual(namesOf(await select(`${label}=Ignore`)), ['b']);
        assert.deepEqual(namesOf(await select(`${label}!=Ignore`)), ['a', 'c']);
        assert.deepEqual(namesOf(await select(`metadata.name=c,${label}=Fail`)), ['c']);
        const other = label === 'spec.mode' ? 'spec.behaviour' : 'spec.mode';
        assert.equal((await select(`${other}=Fail`)).status, 400);
      });
    }
  });
}

describe('large lists of a version with a lens', () => {
  it('a large list converted in several turns is complete and in order', async () => {
    await using api = await openGadgets('1.21');
    const count = 600;
    for (let i = 0; i < count; i++)
      await api.post(at('apps/v1'), posted('apps/v1', `g-${String(i).padStart(4, '0')}`));
    await api.settled();
    const list = await api.get(at('apps/v1beta1'));
    assert.equal(list.json.items.length, count);
    list.json.items.forEach((item: Json, i: number) => {
      assert.equal(item.metadata.name, `g-${String(i).padStart(4, '0')}`);
      assertGadget(item, 'apps/v1beta1');
    });
    const pretty = await api.get(`${at('apps/v1beta1')}?pretty=true`);
    assert.deepEqual(pretty.json, list.json);
  });
});
