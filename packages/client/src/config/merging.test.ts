import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '@orch/machinery/env';
import { seededRandom } from '@orch/machinery/testing';
import { encodeYaml } from '@orch/machinery/yaml';
import { readConfigFiles } from './config-files.ts';
import { files } from './testing/files.ts';

interface Drawn {
  readonly current: string | undefined;
  /** Servers by the names of their clusters. */
  readonly servers: ReadonlyMap<string, string>;
}

const names = ['a', 'b', '__proto__', 'constructor', 'é', ''] as const;

/** Up to four files with clusters of few names, so that they meet. */
function drawFiles(seed: number): readonly Drawn[] {
  const random = seededRandom(seed);
  return Array.from({ length: 1 + random.int(4) }, (_, file) => ({
    current: names[random.int(names.length)] || undefined,
    servers: new Map(
      names
        .filter((name) => name !== '' && random.int(2) === 0)
        .map((name) => [name, `https://${file}.test`] as const),
    ),
  }));
}

const textOf = ({ current, servers }: Drawn): string =>
  encodeYaml({
    kind: 'Config',
    ...(current !== undefined && { 'current-context': current }),
    clusters: [...servers].map(([name, server]) => ({ name, cluster: { server } })),
  }).toString();

describe('merged client configuration files', () => {
  it('every name has the entry of the first file that contains it, for random files', async () => {
    for (let seed = 1; seed <= 100; seed++) {
      const drawn = drawFiles(seed);
      using folder = files(Object.fromEntries(drawn.map((file, i) => [`f${i}`, textOf(file)])));
      const merged = await readConfigFiles(
        drawn.map((_, i) => folder.path(`f${i}`)),
        systemClock,
      );
      const expected = new Map(drawn.toReversed().flatMap(({ servers }) => [...servers]));
      const found = [...merged.entries.clusters].map(([name, one]) => [name, one.text('server')] as const);
      assert.deepEqual(new Map(found), expected, `seed ${seed}`);
      const current = drawn.findIndex((file) => file.current !== undefined);
      assert.deepEqual(
        merged.currentContext,
        current < 0 ? undefined : { name: drawn[current]?.current, file: folder.path(`f${current}`) },
        `seed ${seed}`,
      );
    }
  });
});
