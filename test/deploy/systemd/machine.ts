import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandResult, type RunningProcess, run, start } from '@orch/testkit';
import { imagePath } from '../image/builder.ts';
import { ImageFileSystem } from '../image/file-system.ts';
import {
  environmentFile,
  parseService,
  type ServiceSettings,
  variablesOf,
  withSpecifiers,
  wordsOf,
} from './unit-file.ts';

/** A network of machines on this one: an isolated one that has all of their addresses. */
export class Network implements AsyncDisposable {
  readonly #holder: RunningProcess;

  private constructor(holder: RunningProcess) {
    this.#holder = holder;
  }

  static async open(addresses: readonly string[]): Promise<Network> {
    const lines = ['ip link set lo up', ...addresses.map((address) => `ip addr add ${address}/32 dev lo`)];
    const script = [...lines, 'echo ready', 'exec sleep infinity'].join('\n');
    const holder = start('unshare', ['--net', 'sh', '-ec', script]);
    await holder.waitFor(/ready/, 10_000);
    return new Network(holder);
  }

  /** The command that runs another one in this network. */
  inside(command: readonly string[]): readonly string[] {
    return ['nsenter', '--net', `--target=${this.#holder.child.pid}`, '--', ...command];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#holder[Symbol.asyncDispose]();
  }
}

/**
 * A machine with a separate file system, on which commands run, and units in place of systemd: their command, user, environment and
 * state folder, with `/proc` and the file system as the settings of the unit restrict them.
 */
export class Machine implements AsyncDisposable {
  readonly files: ImageFileSystem;
  readonly #network: Network;
  readonly #units = new Map<string, RunningProcess>();

  constructor(root: string, network: Network) {
    mkdirSync(root);
    this.files = ImageFileSystem.ofBase('debian', root);
    this.#network = network;
    for (const name of ['pam.d', 'security', 'haproxy'])
      if (existsSync(`/etc/${name}`)) cpSync(`/etc/${name}`, join(root, 'etc', name), { recursive: true });
    for (const name of ['etc/systemd/system', 'etc/default', 'run', 'var/lib/etcd', 'usr/local/sbin'])
      mkdirSync(join(root, name), { recursive: true });
  }

  /** Runs shell commands as root; throws when one of them fails. */
  async run(commands: string): Promise<CommandResult> {
    const result = await this.#chroot('exec /bin/sh -ec "$SCRIPT"', { SCRIPT: commands });
    if (result.code !== 0) throw new Error(`${commands}\n${result.stdout}${result.stderr}`);
    return result;
  }

  /** Carries out a line with systemctl. A timer runs its service once, to its end. */
  async systemctl(line: string): Promise<void> {
    const [, verb = '', ...units] = line.split(/\s+/);
    if (verb === 'daemon-reload') return;
    for (const unit of units.filter((word) => !word.startsWith('--'))) {
      if (unit.endsWith('.timer')) await this.#runOnce(unit.replace(/timer$/, 'service'));
      else await this.#start(unit);
    }
  }

  unit(name: string): RunningProcess {
    const unit = this.#units.get(name);
    if (unit === undefined) throw new Error(`${name} was not started`);
    return unit;
  }

  /** The last output of each unit. */
  output(): string {
    return [...this.#units].map(([name, process]) => `${name}:\n${process.output().slice(-2000)}`).join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // haproxy ends its workers on SIGTERM only; API servers would wait for balancers.
    const signalOf = (name: string) => (name === 'haproxy.service' ? 'SIGTERM' : 'SIGKILL');
    await Promise.all([...this.#units].map(([name, process]) => process.stop(signalOf(name))));
  }

  async #start(unit: string): Promise<void> {
    await this.#units.get(unit)?.stop();
    const [program = '', ...args] = this.#commandOf(unit);
    this.#units.set(unit, start(program, args, { env: { PATH: imagePath } }));
  }

  async #runOnce(unit: string): Promise<void> {
    const [program = '', ...args] = this.#commandOf(unit);
    const { code, stdout, stderr } = await run(program, args);
    if (code !== 0) throw new Error(`${unit}: ${stdout}${stderr}`);
  }

  #commandOf(unit: string): readonly string[] {
    const settings = this.#settings(unit);
    const one = (key: string): string | undefined => settings.get(key)?.at(-1);
    const variables = this.#variables(settings, unit);
    const argv = wordsOf(one('ExecStart') ?? '', variables);
    const user = one('User') ?? 'root';
    const writable = [...(settings.get('ReadWritePaths') ?? [])];
    const state = one('StateDirectory');
    if (state !== undefined) {
      mkdirSync(this.files.path(`/var/lib/${state}`), { recursive: true });
      writable.push(`/var/lib/${state}`);
    }
    const { root } = this.files;
    const script = `mount --bind ${root} ${root}
      ${this.files.mounts()}
      ${state === undefined ? '' : `chroot ${root} chown ${user}: /var/lib/${state}`}
      ${one('ProtectSystem') === 'strict' ? this.#readOnly(writable) : ''}
      ${one('ProcSubset') === 'pid' ? `umount -l ${root}/proc; mount -t proc -o subset=pid proc ${root}/proc` : ''}
      exec chroot ${root} setpriv --reuid=${user} --regid=${user} --clear-groups \
        env -i PATH=${imagePath} "$@"`;
    const assigned = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    return this.#network.inside([
      ...['unshare', '--mount', '--propagation=private', 'sh', '-ec', script, 'sh'],
      ...assigned,
      ...argv,
    ]);
  }

  #readOnly(writable: readonly string[]): string {
    const { root } = this.files;
    return [
      ...writable.map((path) => `mount --bind ${root}${path} ${root}${path}`),
      `mount -o remount,ro,bind ${root}/usr/local`,
      `mount -o remount,ro,bind ${root}`,
    ].join('\n');
  }

  #settings(unit: string): ServiceSettings {
    const own = this.files.path(`/etc/systemd/system/${unit}`);
    const folder = this.files.path(`/etc/systemd/system/${unit}.d`);
    const dropIns = globSync('*.conf', { cwd: folder }).map((name) => join(folder, name));
    const texts = [existsSync(own) ? own : `/lib/systemd/system/${unit}`, ...dropIns.sort()];
    return parseService(texts.map((path) => withSpecifiers(readFileSync(path, 'utf8'), unit)));
  }

  #variables(settings: ServiceSettings, unit: string): Readonly<Record<string, string>> {
    const files = (settings.get('EnvironmentFile') ?? []).map((path) => {
      const here = this.files.path(path.replace(/^-/, ''));
      if (existsSync(here)) return environmentFile(readFileSync(here, 'utf8'));
      if (path.startsWith('-')) return {};
      throw new Error(`${unit}: no ${path}`);
    });
    return Object.assign({}, ...(settings.get('Environment') ?? []).map(variablesOf), ...files);
  }

  #chroot(command: string, env: Readonly<Record<string, string>>): Promise<CommandResult> {
    const { root } = this.files;
    const script = `${this.files.mounts()}\nchroot ${root} sh -ec '${command}'`;
    const [program = '', ...args] = this.#network.inside([
      'unshare',
      '--mount',
      '--propagation=private',
      'sh',
      '-ec',
      script,
    ]);
    return run(program, args, { env: { ...env, PATH: imagePath, HOME: '/root' } });
  }
}

/** Places a file on a machine. */
export function place(machine: Machine, from: string, to: string): void {
  const target = machine.files.path(to);
  writeFileSync(target, readFileSync(from));
}
