import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiObject } from '@orch/machinery';
import { asObject, cloneJson, specOf, statusOf } from '@orch/machinery/json';
import { setPath } from '../../testing/set-path.ts';
import { type WritePath, writePath } from '../../testing/write-path.ts';
import { volumeAttachments } from './index.ts';

const path = writePath();
const causes = (errors: readonly { readonly type: string; readonly field: string }[]): readonly string[] =>
  errors.map(({ type, field }) => `${type} ${field}`);

function edited(object: ApiObject, set: Readonly<Record<string, unknown>>): ApiObject {
  const input = cloneJson(object);
  for (const [to, value] of Object.entries(set)) setPath(input, to, value);
  return input;
}

describe('attachments of volumes', () => {
  const attachment = {
    metadata: { name: 'v' },
    spec: { attacher: 'd', nodeName: 'n', source: { persistentVolumeName: 'p' } },
    status: { attached: true },
  };
  const older = writePath(undefined, '1.20', { version: 'storage/v1beta1' });
  const { object: stored } = path.create(volumeAttachments, attachment);

  it('attachments begin detached; in older versions as they were sent', () => {
    assert.deepEqual(stored['status'], { attached: false });
    assert.deepEqual(statusOf(older.create(volumeAttachments, attachment).object), { attached: true });
  });

  it('the status of attachments is written through /status; in older versions through any path', () => {
    const next = edited(stored, { 'status.attached': true });
    const attached = (on: WritePath, through?: string) =>
      statusOf(on.update(volumeAttachments, stored, next, through).object)['attached'];
    assert.deepEqual([attached(path), attached(path, 'status'), attached(older)], [false, true, true]);
    const names = volumeAttachments.versions.map(({ differs }) => differs?.subresources?.length);
    assert.deepEqual(names, [undefined, 0, 0]);
  });

  it('attachments have a valid driver name; through older versions any name is valid, and stays valid', () => {
    const odd = edited(stored, { 'spec.attacher': 'A_' });
    assert.deepEqual(causes(path.create(volumeAttachments, odd).errors), ['FieldValueInvalid spec.attacher']);
    const long = edited(stored, { 'spec.attacher': 'a'.repeat(64) });
    assert.deepEqual(causes(path.create(volumeAttachments, long).errors), [
      'FieldValueTooLong spec.attacher',
    ]);
    const capital = edited(stored, { 'spec.attacher': 'A' });
    assert.deepEqual(causes(path.create(volumeAttachments, capital).errors), []);
    const { object, errors } = older.create(volumeAttachments, odd);
    assert.deepEqual(errors, []);
    assert.deepEqual(causes(path.update(volumeAttachments, object, edited(object, {}), 'status').errors), []);
  });

  const inline = {
    csi: { driver: 'd', volumeHandle: 'h' },
    accessModes: ['ReadWriteOnce'],
  };
  const source = 'spec.source.inlineVolumeSpec';
  for (const [title, set, expected] of [
    ['of a volume of a pod need no size', { 'spec.source': { inlineVolumeSpec: inline } }, []],
    [
      'of a volume of a pod do not set fields of independent volumes',
      {
        'spec.source': {
          inlineVolumeSpec: {
            ...inline,
            capacity: { storage: '1' },
            storageClassName: 's',
            volumeMode: 'Block',
          },
        },
      },
      [
        `FieldValueForbidden ${source}.capacity`,
        `FieldValueForbidden ${source}.storageClassName`,
        `FieldValueForbidden ${source}.volumeMode`,
      ],
    ],
    [
      'of a volume of a pod say how drivers see it',
      {
        'spec.source': {
          inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], nfs: { server: 's', path: '/' } },
        },
      },
      [`FieldValueRequired ${source}.csi`],
    ],
    ['name one volume', { [source]: inline }, ['FieldValueForbidden spec.source']],
    [
      'name a volume',
      { 'spec.source.persistentVolumeName': '' },
      [
        'FieldValueRequired spec.source.persistentVolumeName',
        'FieldValueInvalid spec.source.persistentVolumeName',
      ],
    ],
    [
      'name one volume, of which only the name is checked where there are two',
      { 'spec.source': { persistentVolumeName: 'P', inlineVolumeSpec: { rbd: {} } } },
      ['FieldValueForbidden spec.source', 'FieldValueInvalid spec.source.persistentVolumeName'],
    ],
    [
      'name a volume as it is named',
      { 'spec.source.persistentVolumeName': 'P' },
      ['FieldValueInvalid spec.source.persistentVolumeName'],
    ],
  ] as const) {
    it(title, () => {
      const { object, errors } = path.create(
        volumeAttachments,
        edited(attachment as unknown as ApiObject, set),
      );
      assert.deepEqual(causes(errors), expected);
      if (expected.length === 0) {
        assert.deepEqual(
          asObject(specOf(object)['source']),
          { inlineVolumeSpec: inline },
          'no defaults of volumes',
        );
      }
    });
  }

  it('errors and metadata that drivers report in attachments have a maximum size', () => {
    const status = (value: object) =>
      causes(path.update(volumeAttachments, stored, edited(stored, { status: value }), 'status').errors);
    const text = 'x'.repeat(262_144);
    assert.deepEqual(status({ attached: true, attachmentMetadata: { a: text } }), [
      'FieldValueTooLong status.attachmentMetadata',
    ]);
    assert.deepEqual(status({ attachError: { message: text }, detachError: { message: `${text}x` } }), [
      'FieldValueTooLong status.detachError.message',
    ]);
  });

  it('attachments are rows with volume, node and state', () => {
    const cells = (object: ApiObject) => volumeAttachments.table?.cells(object, path.names);
    const age = { age: path.context.now };
    assert.deepEqual(cells(stored), ['v', 'd', 'p', 'n', false, age]);
    assert.equal(volumeAttachments.table?.columns[1]?.format, 'name');
  });
});
