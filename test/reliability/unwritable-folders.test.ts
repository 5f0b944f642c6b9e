import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { run, temporaryFolder } from '@orch/testkit';

const orch = join(import.meta.dirname, '..', '..', 'bin', 'orch');
const isRoot = process.getuid?.() === 0;
/** Arguments of `unshare`: file systems that the command mounts are its own. */
const apart = [...(isRoot ? [] : ['-r']), '-m', 'sh', '-c'];
const canMount = (await run('unshare', [...apart, 'mount -t tmpfs tmpfs /mnt'])).code === 0;
const otherUser = ['--reuid=65534', '--regid=65534', '--clear-groups'];
const hasOtherUser = (await run('setpriv', [...otherUser, orch, '--version'])).code === 0;

/** Flags of a server whose files are in a folder that can be written, besides those that are given. */
const flags = (folder: string, ...given: readonly string[]): readonly string[] => [
  'up',
  '--secure-port=0',
  '--bind-address=127.0.0.1',
  `--data-dir=${folder}/data`,
  `--cert-dir=${folder}/certs`,
  `--admin-config=${folder}/admin.conf`,
  ...given,
];

type Case = readonly [flag: string, given: (place: string) => readonly string[]];
const places: readonly Case[] = [
  ['the store', (place) => [`--data-dir=${place}`]],
  ['the store', (place) => [`--data-dir=${place}/data`]],
  ['--cert-dir', (place) => [`--cert-dir=${place}/certs`]],
  ['--admin-config', (place) => [`--admin-config=${place}/admin.conf`]],
  ['--audit-log-path', (place) => [`--audit-log-path=${place}/audit.log`]],
];

/** The last line of a failed start; it is the only one that is not JSON, and names no library. */
function reasonIn({ code, stderr }: { readonly code: number; readonly stderr: string }): string {
  const [line = '', ...more] = stderr.split('\n').filter((one) => one !== '' && !one.startsWith('{'));
  assert.deepEqual([code, more], [1, []], stderr);
  // Folders have random names.
  const words = line.replaceAll(/\/\S+/g, '');
  assert.doesNotMatch(words, /sqlite|openssl|database|ENO|EROFS|EACCES|\bat /i);
  return line;
}

/** Runs a server where a file system of the given options is mounted at `place`. */
const runMounted = (folder: string, options: string, given: readonly string[]) => {
  const place = join(folder, 'place');
  mkdirSync(place, { recursive: true });
  const mount = `mount -t tmpfs -o ${options} tmpfs ${place}`;
  const fill = options.includes('size') ? `; dd if=/dev/zero of=${place}/filler bs=4k 2>/dev/null` : '';
  return run('unshare', [...apart, `${mount}${fill}; exec ${[orch, ...flags(folder, ...given)].join(' ')}`]);
};

describe('a server that cannot write', { skip: !canMount && 'file systems cannot be mounted here' }, () => {
  for (const [what, given] of places) {
    it(`the server names a read-only file system and the way out: ${given('PLACE').join(' ')}`, async () => {
      using folder = temporaryFolder();
      const reason = reasonIn(await runMounted(folder.path, 'ro', given(join(folder.path, 'place'))));
      assert.ok(reason.includes(what), reason);
      assert.match(reason, /is on a read-only file system: mount it for writing, or name another place$/);
    });
  }

  for (const [what, given] of places.slice(0, 4)) {
    it(`the server names a full disk and the way out: ${given('PLACE').join(' ')}`, async () => {
      using folder = temporaryFolder();
      const place = join(folder.path, 'place');
      const reason = reasonIn(await runMounted(folder.path, 'size=64k', given(place)));
      assert.ok(reason.includes(what), reason);
      assert.match(reason, /the disk of \S+ is full: free space, or name another place$/);
    });
  }
});

describe('a server over files of another user', { skip: !hasOtherUser && 'setpriv needs root' }, () => {
  for (const [what, given] of places) {
    it(`the server names both users and the way out: ${given('PLACE').join(' ')}`, async () => {
      using folder = temporaryFolder();
      chmodSync(folder.path, 0o777);
      const place = join(folder.path, 'place');
      mkdirSync(place);
      const answer = await run('setpriv', [...otherUser, orch, ...flags(folder.path, ...given(place))]);
      const reason = reasonIn(answer);
      assert.ok(reason.includes(what), reason);
      assert.match(
        reason,
        /belongs to user 0, and this program runs as user 65534: run it as that user, or give the files to user 65534 \(chown -R\)$/,
      );
    });
  }
});

it('orch init names the reason of a folder that cannot be written', { skip: !canMount }, async () => {
  using folder = temporaryFolder();
  const answer = await run('unshare', [
    ...apart,
    `mount -t tmpfs -o ro tmpfs ${folder.path}; exec ${orch} init --dir=${folder.path}/pki`,
  ]);
  assert.match(reasonIn(answer), /--dir \S+: \S+ is on a read-only file system: /);
});
