import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/**
 * A folder with the file system of an image. The distribution of this machine stands for the one of the base image: `/usr` without
 * `/usr/local` is mounted from it when a program runs; all other folders belong to the image.
 */
export class ImageFileSystem {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** The file system of a base image: a bare Debian, or one with Node and npm. */
  static ofBase(image: string, root: string): ImageFileSystem {
    const files = new ImageFileSystem(root);
    for (const folder of ['usr/local/bin', 'etc', 'proc', 'dev', 'tmp', 'var/lib', 'root', 'opt'])
      mkdirSync(join(root, folder), { recursive: true });
    for (const folder of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${folder}`, join(root, folder));
    for (const name of ['login.defs', 'resolv.conf', 'hosts', 'nsswitch.conf', 'ssl'])
      cpSync(join('/etc', name), join(root, 'etc', name), { recursive: true, dereference: true });
    writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
    writeFileSync(join(root, 'etc/group'), 'root:x:0:\n');
    if (image.startsWith('node:')) files.#addNode();
    return files;
  }

  /** A copy, with which a later stage begins. Files are links: a program that changes one in place changes it in both. */
  copyTo(root: string): ImageFileSystem {
    execFileSync('cp', ['-al', `${this.root}/.`, root]);
    return new ImageFileSystem(root);
  }

  path(inImage: string): string {
    return join(this.root, resolve('/', inImage));
  }

  /** As the instruction COPY does: the content of a folder, or a file into a folder when the target ends with a slash. */
  copyIn(sources: readonly string[], target: string): void {
    for (const source of sources) {
      const isInto = target.endsWith('/') && !isFolder(source);
      const to = isInto ? join(this.path(target), source.split('/').at(-1) ?? '') : this.path(target);
      mkdirSync(isFolder(source) ? to : dirname(to), { recursive: true });
      execFileSync('cp', ['-a', '--remove-destination', isFolder(source) ? `${source}/.` : source, to]);
    }
  }

  /** The shell command that runs `command` in this file system, as root; its mounts end with it. */
  chrooted(command: string): readonly string[] {
    const { root } = this;
    const home = homedir();
    const script = `${this.mounts()}
      mkdir -p ${root}/root/.npm
      if [ -d ${home}/.npm ]; then mount --bind ${home}/.npm ${root}/root/.npm; fi
      if [ -f ${home}/.npmrc ]; then touch ${root}/root/.npmrc; mount --bind ${home}/.npmrc ${root}/root/.npmrc; fi
      ${command}`;
    return ['unshare', '--mount', '--propagation=private', 'sh', '-ec', script];
  }

  /** Shell commands that mount what the image has from this machine. */
  mounts(): string {
    const { root } = this;
    return `
      own=$(mktemp -d)
      mount --bind ${root}/usr/local $own
      mount --bind /usr ${root}/usr
      mount -o remount,ro,bind ${root}/usr
      mount --bind $own ${root}/usr/local
      umount $own
      rmdir $own
      mount -t tmpfs -o mode=755 tmpfs ${root}/dev
      for device in null:3 zero:5 full:7 random:8 urandom:9; do
        mknod -m 666 ${root}/dev/\${device%:*} c 1 \${device#*:}
      done
      ln -s /proc/self/fd ${root}/dev/fd
      mount --rbind /proc ${root}/proc`;
  }

  #addNode(): void {
    copyFileSync(process.execPath, this.path('/usr/local/bin/node'));
    writeFileSync(this.path('/usr/local/LICENSE'), 'The licence of Node.\n');
    const npm = dirname(
      dirname(realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())),
    );
    mkdirSync(this.path('/usr/local/lib/node_modules'), { recursive: true });
    execFileSync('cp', ['-a', npm, this.path('/usr/local/lib/node_modules/npm')]);
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', this.path('/usr/local/bin/npm'));
  }
}

function isFolder(path: string): boolean {
  return execFileSync('stat', ['-L', '-c', '%F', path], { encoding: 'utf8' }).trim() === 'directory';
}
