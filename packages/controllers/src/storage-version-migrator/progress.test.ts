import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namesFor } from '@orch/machinery';
import { describeProgress, noProgress, progressAnnotations, progressOf } from './progress.ts';

const names = namesFor('orch');
const definition = { uid: 'u', generation: 3, storageVersion: 'v2' };
const some = { examined: 5, stored: 3, refused: 1, refusals: ['x/a: invalid'], definition };

const read = (text: string) =>
  progressOf({ metadata: { annotations: { [names.annotations.migrationProgress]: text } } }, names);

describe('the recorded progress of migrations', () => {
  it('progress is read as it was written', () => {
    const annotations = progressAnnotations(names, some, 'token');
    assert.deepEqual(read(String(annotations[names.annotations.migrationProgress])), some);
    assert.equal(annotations[names.annotations.migrationContinueToken], 'token');
  });

  for (const text of ['', '{', '[]', '{}', '{"examined":-1,"stored":0,"refused":0,"refusals":[]}', 'null']) {
    it(`progress of another form is ignored: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(read(text), noProgress));
  }

  for (const wrong of [{}, { ...definition, uid: 1 }, { ...definition, generation: 'x' }, 'v2']) {
    it(`a definition of another form is ignored: ${JSON.stringify(wrong)}`, () => {
      const { definition: _, ...rest } = some;
      assert.deepEqual(read(JSON.stringify({ ...some, definition: wrong })), rest);
    });
  }

  it('progress in words has the numbers of objects and the reasons of refusals', () => {
    assert.equal(describeProgress({ ...some, refused: 0 }), '5 objects examined, 3 of them stored again');
    assert.equal(
      describeProgress(some),
      '5 objects examined, 3 of them stored again; the server refused to store 1: x/a: invalid',
    );
  });
});
