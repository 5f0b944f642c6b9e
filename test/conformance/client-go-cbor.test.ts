import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buildGoProgram, launchServer, observations } from '@orch/testkit';

const cbor = await buildGoProgram(join(import.meta.dirname, 'go', 'cbor'));

interface Observed {
  readonly step?: string;
  readonly requests?: readonly {
    readonly method: string;
    readonly path: string;
    readonly contentType: string;
  }[];
}

if (cbor.kind === 'missing') {
  describe('client-go in CBOR', () => {
    it.skip(`client-go writes and reads objects in CBOR: ${cbor.reason}`, () => {});
  });
} else {
  const { program } = cbor;

  describe('client-go in CBOR', { timeout: 120_000 }, () => {
    it('client-go writes and reads objects in CBOR, typed and untyped', async () => {
      await using server = await launchServer({
        naming: 'kubernetes',
        args: ['--emulated-version=1.36', '--feature-gates=CBORServingAndStorage=true'],
      });
      const result = await program.run(server, ['default']);
      assert.equal(result.code, 0, result.stderr);
      const seen = observations<Observed>(result);
      const [first, both] = [{ a: 'AAH/' }, { a: 'AAH/', b: 'dGV4dA==' }];
      assert.deepEqual(
        seen.filter(({ step }) => step !== undefined),
        [
          { step: 'create', data: first, fields: true },
          { step: 'apply', data: both, fields: true },
          { step: 'list', data: both },
          { step: 'watch ADDED', data: first },
          { step: 'watch MODIFIED', data: both },
          { step: 'error', error: 'secrets "absent" not found' },
          { step: 'dynamic list', names: ['dynamic'], text: { text: 'ä"\\' } },
        ],
      );
      for (const { path, contentType } of seen.at(-1)?.requests ?? assert.fail('no requests'))
        assert.equal(
          contentType,
          path.includes('watch=true') ? 'application/cbor-seq' : 'application/cbor',
          path,
        );
    });
  });
}
