import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ObjectMeta } from '@orch/apis';
import { type FieldError, isJsonObject, type JsonObject, namesFor } from '@orch/machinery';
import { seededRandom } from '@orch/machinery/testing';
import { codecCompiler, readStructural, structuralKind } from '@orch/schema';
import { RandomStructural } from '@orch/schema/testing';
import { buildGoProgram, checkGoModule } from '@orch/testkit';

const names = namesFor('kubernetes');
const module = join(import.meta.dirname, 'go');
const reference = await buildGoProgram(module, 'structural');
const skip = reference.kind === 'missing' ? reference.reason : false;

/** Seeds of the schemas, and how many: other ones can be tried by hand. */
const first = Number(process.env['STRUCTURAL_SEED'] ?? 1);
const schemas = Number(process.env['STRUCTURAL_SCHEMAS'] ?? 300);

interface Write {
  readonly object: JsonObject;
  readonly old?: JsonObject;
}

interface Request {
  readonly schema: JsonObject;
  readonly writes: readonly Write[];
}

interface Violation {
  readonly type: string;
  readonly field: string;
  readonly message: string;
}

interface Stored {
  readonly object?: JsonObject;
  readonly refused?: string;
  readonly errors: readonly Violation[];
}

function askReference(requests: readonly Request[]): readonly { readonly writes: readonly Stored[] }[] {
  assert.ok(reference.kind === 'built');
  const input = requests.map((request) => JSON.stringify(request)).join('\n');
  const { status, stdout, stderr } = spawnSync(reference.program.path, {
    input,
    maxBuffer: 1 << 28,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { writes: readonly Stored[] });
}

/** What this implementation makes of the same writes. */
function ours({ schema, writes }: Request): readonly Stored[] {
  const structural = readStructural(schema, names);
  const kind = structuralKind({
    name: 'example.v1.Thing',
    doc: '',
    metadata: ObjectMeta,
    structural: () => structural,
  });
  const codec = codecCompiler(names).compile(kind);
  const read = (object: JsonObject) => {
    const { problems, value } = codec.decode(object, { defaults: true });
    return { value, refused: problems.find((problem) => problem.kind === 'type')?.message };
  };
  return writes.map(({ object, old }) => {
    const { refused, value } = read(object);
    if (refused !== undefined) return { refused, errors: [] };
    const before = old === undefined ? undefined : read(old).value;
    return { object: JSON.parse(JSON.stringify(value)), errors: codec.validate(value, before) };
  });
}

/** Texts about sizes differ between releases of the reference; the rest is wire text. */
const wireText = ({ type, message }: Violation): string =>
  type === 'FieldValueTooLong' || type === 'FieldValueTooMany' ? '' : message.replace(/…$/, '').slice(0, 200);

const lines = (violations: readonly (Violation | FieldError)[]): readonly string[] =>
  [...new Set(violations.map((one) => `${one.type} ${one.field}: ${wireText(one)}`))].sort();

function randomRequest(seed: number): Request {
  const random = new RandomStructural(seededRandom(seed), names);
  const schema = random.rootSchema();
  const typeMeta = {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'x', creationTimestamp: '2024-01-01T00:00:00Z' },
  };
  const object = (value: unknown): JsonObject => ({ ...(isJsonObject(value) ? value : {}), ...typeMeta });
  const writes = Array.from({ length: 6 }, (_, i): Write => {
    const old = object(random.objectValue(schema));
    return i % 2 === 0 ? { object: old } : { object: object(random.changed(old, schema)), old };
  });
  return { schema, writes };
}

describe('structural schemas beside the reference implementation', { skip }, () => {
  it('stores the same objects and reports the same violations for random schemas and objects', () => {
    const requests = Array.from({ length: schemas }, (_, i) => randomRequest(first + i));
    const answers = askReference(requests);
    for (const [i, request] of requests.entries()) {
      const found = ours(request);
      for (const [w, expected] of (answers[i]?.writes ?? []).entries()) {
        const actual = found[w] as Stored;
        const where = `seed ${first + i}, write ${w}: ${JSON.stringify(request.writes[w])}\n${JSON.stringify(request.schema)}`;
        assert.equal(actual.refused === undefined, expected.refused === undefined, where);
        assert.deepEqual(actual.object, expected.object, where);
        assert.deepEqual(lines(actual.errors), lines(expected.errors), where);
      }
    }
  });

  it('the program in Go is formatted and passes vet', async () => {
    assert.equal(await checkGoModule(module), '');
  });
});
