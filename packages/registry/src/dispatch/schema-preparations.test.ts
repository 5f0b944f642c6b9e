import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Turns, type Work } from '@orch/machinery/concurrency';
import type { ApiVerb } from '@orch/request';
import type { StructSchema } from '@orch/schema';
import { SchemaPreparations } from './schema-preparations.ts';

/** A schema that is prepared in a number of pieces, and how often that began and ended. */
function schemaOf(pieces: number): { schema: StructSchema; counts: { begun: number; ended: number } } {
  const counts = { begun: 0, ended: 0 };
  function* work(): Work<void> {
    counts.begun += 1;
    for (let i = 0; i < pieces; i++) yield;
    counts.ended += 1;
  }
  const schema: StructSchema = {
    kind: 'struct',
    name: 'a.v1.Thing',
    doc: '',
    fields: [],
    preparation: () => (counts.ended > 0 ? undefined : work()),
  };
  return { schema, counts };
}

/** Preparations on a clock by which every piece takes a whole turn. */
function preparations(): SchemaPreparations {
  let now = 0;
  return new SchemaPreparations(new Turns({ clock: { monotonic: () => (now += 10) } }));
}

const writes: readonly ApiVerb[] = ['create', 'update', 'patch', 'apply'];
const others: readonly ApiVerb[] = ['get', 'list', 'watch', 'delete', 'deletecollection'];

describe('preparations of schemas', () => {
  it('writes that arrive while a schema is prepared wait for the same preparation, and later ones do not wait', async () => {
    const { counts, schema } = schemaOf(20);
    const before = preparations();
    const waiting = writes.map((verb) => before.before({ schema }, { verb }));
    assert.ok(waiting.every((one) => one instanceof Promise));
    assert.deepEqual(counts, { begun: 1, ended: 0 });
    await Promise.all(waiting);
    assert.deepEqual(counts, { begun: 1, ended: 1 });
    assert.deepEqual(
      writes.map((verb) => before.before({ schema }, { verb })),
      writes.map(() => undefined),
    );
  });

  it('requests that validate no object neither wait nor begin a preparation', () => {
    const { counts, schema } = schemaOf(20);
    const before = preparations();
    for (const verb of others) assert.equal(before.before({ schema }, { verb }), undefined);
    assert.equal(counts.begun, 0);
  });

  it('a preparation that fails is begun again by the next write', async () => {
    let attempts = 0;
    const schema: StructSchema = {
      kind: 'struct',
      name: 'a.v1.Thing',
      doc: '',
      fields: [],
      *preparation() {
        attempts += 1;
        yield;
        throw new TypeError('broken');
      },
    };
    const before = preparations();
    const write = async (): Promise<void> => before.before({ schema }, { verb: 'create' });
    await assert.rejects(write(), /broken/);
    await assert.rejects(write(), /broken/);
    assert.equal(attempts, 2);
  });
});
