import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '@orch/machinery/testing';
import { findKubectls } from '@orch/testkit';
import { type CommandCluster, commandCluster } from './cluster.ts';

const kubectl = (await findKubectls(join(import.meta.dirname, '..', '..'))).at(-1);

/** Arguments of `get` besides the namespace. Each watch sees the same objects and changes. */
const watches: readonly string[] = [
  'cm -w',
  'cm -w -o wide --no-headers',
  'cm --watch-only',
  'cm -w -L app --show-labels',
  'cm -w -o json',
  'cm -w -o yaml',
  'cm -w -o name',
  'cm -w -o jsonpath={.metadata.name}={.data};',
  'cm -w -o custom-columns=NAME:.metadata.name,X:.data.x,APP:.metadata.labels.app',
  'cm -w -o custom-columns=X:.data.x,NAME:.metadata.name --no-headers',
  'cm --watch-only -o yaml',
  'cm -w --output-watch-events',
  'cm -w --output-watch-events -o json',
  'cm -w --output-watch-events -o yaml',
  'cm -w --output-watch-events -o name',
  'cm -w --output-watch-events -o jsonpath={.type}={.object.metadata.name};',
  'cm -w --output-watch-events -o custom-columns=TYPE:.type,NAME:.object.metadata.name',
  'cm last -w -o name',
  'cm -A -w --field-selector=metadata.namespace=NAMESPACE',
];

/** A running watch. */
interface Watched {
  readonly text: string;
  /** Standard error, with the requests. */
  readonly log: string;
  end(): Promise<void>;
}

/** The text without the differences between the runs of two servers and programs. */
const comparable = (text: string): string =>
  text
    .replace(/(?<= )\d+(?:s|m|m\d+s)(?=\s) */g, 'AGE ')
    .replace(/,"managedFields":\[.*?\](?=,"name")/g, '')
    .replace(/^( +)managedFields:\n(?:\1[- ] ?.*\n)*/gm, '');

/** Number of times that the output names the object that changed last. */
const occurrences = (text: string): number => text.split('last').length;

describe('watches of orchctl compared with those of kubectl', {
  skip: kubectl === undefined && 'there is no kubectl on this machine',
}, () => {
  let cluster: CommandCluster;
  before(async () => {
    cluster = await commandCluster('kubernetes');
  });
  after(() => cluster[Symbol.asyncDispose]());

  const write = async (...argv: string[]): Promise<void> => {
    const { status, err } = await cluster.orchctl(argv);
    assert.equal(status, 0, err);
  };

  const startOrchctl = (argv: readonly string[], changed: () => void): Watched => {
    const abort = new AbortController();
    const watched = { text: '', log: '' };
    const run = cluster.orchctl(argv, {
      signal: abort.signal,
      onOutput(text) {
        watched.text = text;
        changed();
      },
      onErrorOutput(text) {
        watched.log = text;
        changed();
      },
    });
    return Object.assign(watched, {
      async end() {
        abort.abort();
        await run;
      },
    });
  };

  const startKubectl = (argv: readonly string[], changed: () => void): Watched => {
    const config = `--kubeconfig=${cluster.server.adminConfig}`;
    const child = spawn(kubectl?.path ?? '', [...argv, config], { stdio: ['ignore', 'pipe', 'pipe'] });
    const watched = { text: '', log: '' };
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    for (const [stream, field] of [
      [child.stdout, 'text'],
      [child.stderr, 'log'],
    ] as const)
      stream.on('data', (chunk: Buffer) => {
        watched[field] += chunk.toString('utf8');
        changed();
      });
    return Object.assign(watched, {
      end() {
        child.kill();
        return ended;
      },
    });
  };

  for (const [i, line] of watches.entries())
    it(`"get ${line}" prints what kubectl prints for the same changes`, { timeout: 60_000 }, async () => {
      const namespace = `watch-${i}`;
      await write('create', 'namespace', namespace);
      const create = ['create', 'cm', '-n', namespace];
      await write(...create, 'first', '--from-literal=x=1');
      await write(...create, 'last');
      const words = line.replace('NAMESPACE', namespace).split(' ');
      const argv = ['get', ...words, ...(line.includes(' -A ') ? [] : ['-n', namespace]), '-v=6'];
      let check = () => {};
      const both = [startOrchctl(argv, () => check()), startKubectl(argv, () => check())];
      const until = (isReached: (one: Watched, i: number) => boolean): Promise<void> =>
        new Promise((resolve) => {
          check = () => {
            if (both.every(isReached)) resolve();
          };
          check();
        });
      try {
        await until(({ log }) => /watch=true.*[ "]200 /.test(log));
        const earlier = both.map(({ text }) => occurrences(text));
        await write('patch', 'cm', 'first', '-n', namespace, '-p', '{"data":{"x":"20"}}');
        await write(...create, 'much-longer-name', '--from-literal=x=3');
        await write('delete', 'cm', 'first', '-n', namespace);
        await write('label', 'cm', 'last', '-n', namespace, 'app=end');
        await until(({ text }, program) => occurrences(text) > (earlier[program] ?? 0));
        // A program may write the last lines in several parts.
        await eventually(
          async () => both.map(({ text }) => comparable(text)),
          ([own, other]) => own === other,
        );
      } finally {
        await Promise.all(both.map((one) => one.end()));
      }
      const [own, other] = both.map(({ text }) => comparable(text));
      assert.equal(own, other);
    });
});
