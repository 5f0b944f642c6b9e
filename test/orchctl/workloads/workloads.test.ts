import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CommandResult } from '@orch/orchctl/testing';
import type { CommandCluster } from '../cluster.ts';
import { comparable } from '../side-by-side.ts';
import { workloadCluster } from './cluster.ts';
import { nodeSteps, rolloutSteps, setSteps, startSteps } from './steps.ts';

describe('commands about nodes and workloads of orchctl compared with those of kubectl', () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await workloadCluster();
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  const map = (text: string): string =>
    comparable(text)
      .replaceAll('other', 'own')
      .replace(/(creationTimestamp|resourceVersion|uid|restartedAt): .*/g, '$1: X')
      .replace(/\b(generation): \d+/g, '$1: X');
  /** Pods are evicted, and warnings printed, in any order. */
  const lines = (line: string, text: string): string =>
    line.startsWith('drain')
      ? map(text)
          .replace('Warning: ', '')
          .trim()
          .split(/[;\n] ?/)
          .toSorted()
          .join('\n')
      : map(text);
  const both = (line: string): Promise<[CommandResult, CommandResult]> => {
    const argvOf = (side: string) => {
      const [words = '', ...command] = line.replaceAll('SIDE', side).split(' -- ');
      return [...words.split(' '), `-n=${side}`, ...command.flatMap((one) => ['--', ...one.split(' ')])];
    };
    return Promise.all([cluster.orchctl(argvOf('own')), cluster.kubectl(argvOf('other'))]);
  };

  for (const [i, line] of [...nodeSteps, ...rolloutSteps, ...setSteps, ...startSteps].entries())
    it(`step ${i + 1}, "${line}", prints what kubectl prints`, async () => {
      const [own, other] = await both(line);
      assert.equal(lines(line, own.out), lines(line, other.out), `${own.err}\n${other.err}`);
      assert.equal(own.status === 0, other.status === 0, `${own.err}\n${other.err}`);
      if (other.status === 0) assert.equal(lines(line, own.err), lines(line, other.err));
      else assert.match(own.err, /^(?:error: |Error from server|node\/)/);
    });
});
