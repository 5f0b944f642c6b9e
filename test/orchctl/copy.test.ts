import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { CopyError, copyFromPod, copyToPod, loadConfig, podStreams } from '@orch/client';
import type { NodeAgentOptions } from '@orch/testkit';
import { startTcpFront } from '../client/tcp-front.ts';
import { type NodeCluster, nodeCluster } from './node-cluster.ts';

/** The file system of all containers, with the programs `tar` and `test` of this machine. */
interface ContainerFiles extends Disposable {
  readonly folder: string;
  readonly runOther: NonNullable<NodeAgentOptions['runOther']>;
}

function containerFiles(): ContainerFiles {
  const folder = mkdtempSync(join(tmpdir(), 'orchctl-container-'));
  return {
    folder,
    runOther([program = '', ...argv], streams) {
      if (!['tar', 'test', 'sh'].includes(program)) return false;
      const child = spawn(program, argv, { cwd: folder });
      child.stdin.on('error', () => undefined);
      child.stdout.on('data', (data: Buffer) => streams.out(data));
      child.stderr.on('data', (data: Buffer) => streams.err(data));
      streams.onInput = (data) => (data === undefined ? child.stdin.end() : child.stdin.write(data));
      child.on('close', (code) => streams.finish(code === 0 ? success : failureOf(code ?? 1)));
      return true;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const success = { metadata: {}, status: 'Success' };
const failureOf = (code: number): object => ({
  ...{ metadata: {}, status: 'Failure', message: `exit status ${code}`, reason: 'NonZeroExitCode' },
  details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
});

/** Copies by both programs, which then have the same files: a command line and the file to compare. `DIR` is theirs. */
const copies: readonly (readonly [line: string, file?: string])[] = [
  ['cp DIR/note.txt one:DIR-note', 'DIR-note'],
  ['cp DIR/note.txt default/one:DIR-folder', 'DIR-folder/note.txt'],
  ['cp DIR/tree one:DIR-tree -c c', 'DIR-tree/sub/inner'],
  ['cp DIR/tree one:DIR-folder --no-preserve', 'DIR-folder/tree/large'],
  ['cp one:data/sub DIR/back', 'DIR/back/inner'],
  ['cp one:data/large DIR/large', 'DIR/large'],
  ['cp one:data/../data/large DIR/again --retries=2', 'DIR/again'],
  ['cp DIR/missing one:x'],
  ['cp missing:data DIR/x'],
  ['cp one:data'],
  ['cp one:data two:data'],
  ['cp DIR/note.txt DIR/other'],
  ['cp one: DIR/x'],
];

describe('copies of files', () => {
  let cluster: NodeCluster;
  let files: ContainerFiles;
  before(async () => {
    files = containerFiles();
    cluster = await nodeCluster('kubernetes', () => 1, { runOther: files.runOther });
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    files[Symbol.dispose]();
  });
  const prepare = (folder: string): void => {
    const { folder: container } = files;
    for (const [path, text] of [
      [join(folder, 'note.txt'), 'a note'],
      [join(folder, 'tree', 'sub', 'inner'), 'inner'],
      [join(folder, 'tree', 'large'), 'y'.repeat(300_000)],
      [join(container, 'data', 'sub', 'inner'), 'from the container'],
      [join(container, 'data', 'large'), 'z'.repeat(200_001)],
      [join(container, 'own-folder', 'there'), ''],
      [join(container, 'other-folder', 'there'), ''],
    ] as const) {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, text, { mode: 0o640 });
    }
  };
  /** A file of the container or of this machine. */
  const contentOf = (file: string): readonly [string, number] => {
    const path = join(file.includes('-') ? files.folder : cluster.folder, file);
    return [readFileSync(path, 'utf8'), statSync(path).mode & 0o777];
  };

  for (const [line, file] of copies)
    it(`"${line}" does what it does with kubectl`, async () => {
      for (const name of ['own', 'other']) prepare(join(cluster.folder, name));
      const argv = (name: string): readonly string[] => line.replaceAll('DIR', name).split(' ');
      const own = await cluster.orchctl(argv('own'));
      const other = await cluster.kubectl(argv('other'));
      assert.equal(own.status === 0, other.status === 0, `${own.err}\n${other.err}`);
      // kubectl prints the errors of tar and its own retries on standard output.
      assert.equal(own.out, '');
      if (file === undefined) return assert.notEqual(own.status, 0);
      const [[text, mode], [otherText]] = [
        contentOf(file.replaceAll('DIR', 'own')),
        contentOf(file.replaceAll('DIR', 'other')),
      ];
      assert.equal(text, otherText);
      assert.equal(mode, 0o640);
    });

  it('a copy of a file that the container does not have fails, where kubectl succeeds', async () => {
    const { status, err } = await cluster.orchctl(['cp', 'one:missing', 'missing']);
    assert.notEqual(status, 0);
    assert.match(err, /tar: missing: .*\n(?:.*\n)*command terminated with exit code \d+\n$/);
  });

  it('programs copy a folder to a container and back with the client library, and failures say what failed', async () => {
    prepare(cluster.folder);
    const at = (name: string): string => join(cluster.folder, name);
    const config = await loadConfig({ files: [cluster.server.adminConfig] });
    const streams = podStreams(config);
    const pod = { namespace: 'default', name: 'one' };
    await copyToPod(streams, { pod, source: at('tree'), target: 'sent' });
    await copyFromPod(streams, { pod, source: 'sent', target: at('returned') });
    for (const file of ['large', 'sub/inner'])
      assert.deepEqual(readFileSync(at(`returned/${file}`)), readFileSync(at(`tree/${file}`)));
    await assert.rejects(
      copyFromPod(streams, { pod, source: 'missing', target: at('missing') }),
      (error) => error instanceof CopyError && error.exitCode === 2 && /tar.*: missing: /.test(error.message),
    );
    await assert.rejects(
      copyToPod(streams, { pod, source: at('missing'), target: 'x' }),
      /^CopyError: .*missing/,
    );
    await config.transport.close();
  });

  it('a copy whose connection is lost goes on where it ended with --retries, and fails without', async () => {
    prepare(cluster.folder);
    await using front = await startTcpFront([cluster.server.port]);
    const large = randomBytes(3 * 1024 * 1024);
    writeFileSync(join(files.folder, 'data', 'resumed'), large);
    const copy = (flags: readonly string[]) =>
      cluster.orchctl([
        'cp',
        'one:data/resumed',
        'resumed',
        `--server=https://127.0.0.1:${front.port}`,
        ...flags,
      ]);
    front.cutAfterBytes = [1024 * 1024, 1024 * 1024];
    const resumed = await copy(['--retries=5']);
    assert.equal(resumed.status, 0, resumed.err);
    assert.equal(
      [...resumed.err.matchAll(/^Resuming copy at (\d+) bytes, retry \d\/5$/gm)].length,
      2,
      resumed.err,
    );
    assert.ok(large.equals(readFileSync(join(cluster.folder, 'resumed'))));
    front.cutAfterBytes = [1024 * 1024];
    const lost = await copy([]);
    assert.equal(lost.status, 1);
    assert.match(lost.err, /^The connection to the server failed/);
  });
});
