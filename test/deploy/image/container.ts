import { chownSync, mkdirSync } from 'node:fs';
import { type CommandResult, type RunningProcess, run, start } from '@orch/testkit';
import { type BuiltImage, imagePath } from './builder.ts';
import { lastOf } from './dockerfile.ts';

/**
 * A program in the file system of an image, as a container runs it: as the user of the image, with a file system for reading only
 * except for a volume on the working folder, without capabilities, and with a separate network.
 */
export class Container implements AsyncDisposable {
  readonly process: RunningProcess;
  readonly #ids: readonly [string, string];

  private constructor(process: RunningProcess, ids: readonly [string, string]) {
    this.process = process;
    this.#ids = ids;
  }

  static start({ stage, files, folder }: BuiltImage, volume: string, argv: readonly string[]): Container {
    const [user = '', group = ''] = lastOf(stage, 'USER').split(':');
    mkdirSync(volume, { recursive: true });
    chownSync(volume, Number(user), Number(group));
    const { root } = files;
    const script = `ip link set lo up
      mount --bind ${root} ${root}
      ${files.mounts()}
      mount -o remount,ro,bind ${root}/usr/local
      mount --bind ${volume} ${root}${folder}
      mount -o remount,ro,bind ${root}
      exec chroot ${root} setpriv --reuid=${user} --regid=${group} --clear-groups --bounding-set=-all \
        --no-new-privs env --chdir=${folder} -- "$@"`;
    const process = start(
      'unshare',
      ['--mount', '--net', '--propagation=private', 'sh', '-ec', script, 'sh', ...argv],
      {
        env: { PATH: imagePath, NODE_ENV: 'production' },
      },
    );
    return new Container(process, [user, group]);
  }

  /** Runs a command in the running container, as the same user. */
  exec(...argv: readonly string[]): Promise<CommandResult> {
    const [user, group] = this.#ids;
    const target = [`--target=${this.process.child.pid}`, '--mount', '--net', '--root', '--wd'];
    return run('nsenter', [...target, `--setuid=${user}`, `--setgid=${group}`, '--', ...argv], {
      env: { PATH: imagePath },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
  }
}
