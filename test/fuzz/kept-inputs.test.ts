import { describe, it } from 'node:test';
import { readInputs } from './corpus.ts';
import { seedsOf } from './target.ts';
import { loadTarget, targetNames } from './targets/index.ts';

describe('kept inputs of the fuzzer', () => {
  for (const name of targetNames)
    it(`The promises of the target ${name} hold for its seeds, its corpus and its former crashes`, async () => {
      const target = await loadTarget(name);
      const inputs = [
        ...(await seedsOf(target)),
        ...readInputs('corpus', name),
        ...readInputs('crashes', name),
      ];
      for (const input of inputs)
        try {
          await target.check(input);
        } catch (error) {
          throw new Error(`input ${input.toString('base64')}`, { cause: error });
        }
    });
});
