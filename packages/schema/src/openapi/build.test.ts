import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { widgetApi } from '../testing/widget-api.ts';
import { buildDocuments } from './build.ts';
import type { DocumentEncoder } from './formats/document-encoder.ts';
import { protobufV2 } from './formats/gnostic-v2.ts';
import { jsonV2 } from './formats/v2.ts';
import type { OpenApiResource } from './input.ts';
import { Gzip, type Piece } from './pieces/index.ts';
import type { DocumentSection } from './sections/document-section.ts';
import { SectionParts } from './sections/section-parts.ts';

const input = widgetApi();
const widgetResources = input.resources;

/** The resources of the widget API as kinds of another group, which share the types of their fields. */
const inGroup = (group: string): readonly OpenApiResource[] =>
  widgetResources.map((resource) => {
    const { kind, schema } = resource;
    return { ...resource, group, subresources: [], schema: { ...schema, name: `${group}.v1.${kind}` } };
  });

const sectionOf = (resources: readonly OpenApiResource[]): DocumentSection => ({ discovery: [], resources });

const encoders: readonly (readonly [string, DocumentEncoder])[] = [
  ['JSON', jsonV2(input, input.names)],
  ['Protobuf', protobufV2(input, input.names)],
];

describe('documents of many sections', () => {
  for (const [name, encoder] of encoders) {
    const build = async (
      sections: readonly DocumentSection[],
      parts?: SectionParts,
    ): Promise<readonly Piece[]> => {
      const [pieces = []] = await buildDocuments(
        { ...input, resources: sections.flatMap(({ resources }) => resources) },
        sections,
        [encoder],
        parts === undefined ? {} : { parts },
      );
      return pieces;
    };

    it(`a further section leaves the compressed pieces of the others as they are, in ${name}`, async () => {
      const parts = new SectionParts();
      const sections = ['a', 'b', 'c'].map((group) => sectionOf(inGroup(group)));
      const before = new Set(await build(sections, parts));
      const added = sectionOf(inGroup('d'));
      const after = await build([...sections, added], parts);
      const made = after.filter((piece) => !before.has(piece));
      // Its paths and definitions, the definitions of all sections, the frame and the separators.
      assert.equal(after.length - made.length, 2 * sections.length);
    });

    it(`a document is the same whether its sections were made at once or one by one, in ${name}`, async () => {
      const parts = new SectionParts();
      const [a, b, c] = ['a', 'b', 'c'].map((group) => sectionOf(inGroup(group)));
      assert.ok(a !== undefined && b !== undefined && c !== undefined);
      // The first section contains the definitions that all share: they move when it is removed and added.
      for (const sections of [[b], [a, b], [a, b, c], [b, c], [c], [], [a, c], [a, b, c]]) {
        const pieces = await build(sections, parts);
        const whole = await build(sections);
        assert.deepEqual(
          pieces.map(({ digest }) => digest.toString('hex')),
          whole.map(({ digest }) => digest.toString('hex')),
        );
        assert.deepEqual(
          gunzipSync(Buffer.concat([...new Gzip(pieces)])),
          gunzipSync(Buffer.concat([...new Gzip(whole)])),
        );
      }
    });
  }

  it('a definition that many sections refer to stands once in a document', async () => {
    const sections = ['a', 'b', 'c'].map((group) => sectionOf(inGroup(group)));
    const [pieces = []] = await buildDocuments(input, sections, [jsonV2(input, input.names)]);
    const text = String(gunzipSync(Buffer.concat([...new Gzip(pieces)])));
    assert.equal(text.split(`"${input.names.definitionName('meta.v1.ObjectMeta')}":`).length, 2);
    JSON.parse(text);
  });
});
