import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Service } from './compose-file.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** The fields of a service that decide how its texts are changed. */
type Placed = Pick<Service, 'name' | 'mounts'>;

/** Paths within the image of orch, and where this checkout has them. */
const imagePaths: Readonly<Record<string, string>> = {
  '/opt/orch/bin': join(root, 'bin'),
  '/opt/orch/healthcheck.mjs': join(root, 'deploy/image/healthcheck.mjs'),
};

/** Edits a mounted file, by its path in the repository, before addresses and paths are replaced. */
export type Edit = (path: string, text: string) => string;

/**
 * Where services run without containers: each has a separate loopback address, on which it listens with the ports of the compose
 * file, and its volumes are folders. Names, addresses and paths are replaced in commands and in mounted files. Linux only: other
 * systems have one loopback address.
 */
export class Placement {
  readonly #folder: string;
  readonly #addresses: ReadonlyMap<string, string>;
  readonly #edit: Edit;

  /** `network` is the beginning of the addresses, such as `127.20.0`. */
  constructor(services: readonly Service[], folder: string, network: string, edit: Edit) {
    this.#folder = folder;
    this.#addresses = new Map(services.map(({ name }, index) => [name, `${network}.${index + 1}`]));
    this.#edit = edit;
  }

  address(service: string): string {
    const address = this.#addresses.get(service);
    if (address === undefined) throw new Error(`no service ${service}`);
    return address;
  }

  /** The folder of a named volume. */
  volume(name: string): string {
    return join(this.#folder, 'volumes', name);
  }

  /** The text of a file of the repository as the service of that name would have it mounted. */
  render(service: string, path: string): string {
    return this.#inFile({ name: service, mounts: [] }, readFileSync(join(root, path), 'utf8'));
  }

  /** Makes volumes, and copies of the mounted files. */
  prepare(service: Service): void {
    for (const { source, target } of service.mounts) {
      if (!source.startsWith('./')) mkdirSync(this.volume(source), { recursive: true, mode: 0o700 });
      else this.#copyFile(service, source, this.#pathOf(service, source, target));
    }
  }

  /** A word of a command of the service. Names of services are replaced in URLs and in values of flags. */
  argument(service: Service, word: string): string {
    return this.#withAddresses(service, word, (name) => `(?<=//|[=,])${name}(?=[:,]|$)`);
  }

  /** Names are replaced only where a port follows: elsewhere they may be those of other things. */
  #inFile(service: Placed, text: string): string {
    return this.#withAddresses(service, text, (name) => `(?<![\\w.-])${name}(?=:\\d)`);
  }

  #withAddresses(service: Placed, written: string, pattern: (name: string) => string): string {
    let text = this.#withPaths(service, written);
    for (const [name, address] of this.#addresses)
      text = text.replace(new RegExp(pattern(name), 'g'), address);
    return text.replace(/\b(?:0\.0\.0\.0|127\.0\.0\.1)\b/g, this.address(service.name));
  }

  #withPaths(service: Placed, text: string): string {
    const here = new Map([
      ...Object.entries(imagePaths),
      ...service.mounts.map(({ source, target }) => [target, this.#pathOf(service, source, target)] as const),
    ]);
    // The longest first: a file may be mounted below the folder of a volume.
    const inContainer = [...here.keys()].sort((a, b) => b.length - a.length).map((path) => escaped(path));
    const pattern = new RegExp(`(?<![\\w./-])(?:${inContainer.join('|')})(?![\\w.-])`, 'g');
    return text.replace(pattern, (path) => here.get(path) ?? path);
  }

  #pathOf(service: Placed, source: string, target: string): string {
    return source.startsWith('./') ? join(this.#folder, service.name, target) : this.volume(source);
  }

  #copyFile(service: Service, source: string, to: string): void {
    const from = join(root, source);
    if (!existsSync(from)) throw new Error(`${source}, which ${service.name} mounts, does not exist`);
    if (statSync(from).isDirectory()) {
      for (const name of readdirSync(from)) this.#copyFile(service, join(source, name), join(to, name));
      return;
    }
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to);
    writeFileSync(to, this.#inFile(service, this.#edit(join(source), readFileSync(from, 'utf8'))));
  }
}

const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\*]/g, '\\$&');
