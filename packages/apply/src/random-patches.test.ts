import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { applyJsonPatch } from './json-patch.ts';
import { PatchError } from './patch-error.ts';
import { patchCases, patchOfField } from './testing/random-patches.ts';

/**
 * The answers of kube-apiserver 1.36.3, one a line for each case of the seed: the field `d` after the patch, or the code of the
 * refusal. They were recorded by creating a custom object `{d: 0}`, whose schema has `d` with preserved unknown fields, and sending
 * `patchOfField` of each case as `application/json-patch+json` with `dryRun=All`. An absent `d` is recorded as
 * null, since that server drops a null there.
 */
const recorded = readFileSync(new URL('random-patches.fixture.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const SEED = 29;

type Answer = { readonly d: unknown } | { readonly code: number };

const codes = { malformed: 400, failed: 422, testFailed: 422, tooLarge: 413 } as const;

function answer(patch: readonly unknown[]): Answer {
  try {
    const patched = applyJsonPatch({ d: 0 }, patch) as { readonly d?: unknown };
    return { d: patched.d ?? null };
  } catch (error) {
    if (error instanceof PatchError) return { code: codes[error.code] };
    throw error;
  }
}

describe('random JSON patches', () => {
  const cases = [...patchCases(SEED, recorded.length)];

  it('many of them succeed, and many fail', () => {
    const failed = recorded.filter((line) => line.startsWith('{"code"')).length;
    assert.ok(failed > recorded.length / 4 && failed < (recorded.length * 3) / 4, `${failed} fail`);
  });

  it('each patch gives the answer that kube-apiserver gives', () => {
    for (const [at, line] of recorded.entries()) {
      const one = cases[at];
      assert.ok(one !== undefined);
      const given: unknown = JSON.parse(JSON.stringify(answer(patchOfField(one))));
      assert.deepEqual(given, JSON.parse(line), `case ${at + 1}: ${JSON.stringify(one)}`);
    }
  });
});
