import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import type { ConnectionSettings, DiscoveredResource, DiscoverySnapshot } from '@orch/client';
import { type Clock, type Naming, namings } from '@orch/machinery';
import { asObject, asObjects, asStrings, asText, isJsonObject, type JsonObject } from '@orch/machinery/json';
import type { GlobalValues } from '../global-flags.ts';
import type { Io } from '../io.ts';

/** How long the answers of a server are cached, as in kubectl. */
const MAX_AGE_MS = 10 * 60_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Changes with the format of the file: files of other formats are ignored. */
const FORM = 1;

/** The answers of a server about itself. */
export interface KnownServer {
  readonly naming: Naming;
  readonly snapshot: DiscoverySnapshot;
}

/**
 * The discovery of one server in a file of the user, for ten minutes. Only a regular file that belongs to the user and that no
 * other user can write is read; one that is damaged, too large or of another form counts as missing. It holds no credentials. A failed
 * write is ignored: the next command asks the server again.
 */
export class DiscoveryCache {
  readonly #folder: string;
  readonly #path: string;
  readonly #clock: Pick<Clock, 'now'>;

  /** The cache of the server of a connection. Another authority or address is another server. `cacheDir`: empty for the default. */
  constructor(
    { server, ca = '' }: Pick<ConnectionSettings, 'server' | 'ca'>,
    io: Io,
    { cacheDir }: Pick<GlobalValues, 'cacheDir'>,
  ) {
    const key = createHash('sha256')
      .update(JSON.stringify([server, ca]))
      .digest('hex')
      .slice(0, 32);
    this.#folder =
      cacheDir === ''
        ? join(io.homeFolder, '.orch', 'cache', 'discovery')
        : join(resolve(io.folder, cacheDir), 'discovery');
    this.#path = join(this.#folder, `${key}.json`);
    this.#clock = io.env.clock;
  }

  read(): KnownServer | undefined {
    try {
      const document = asObject(JSON.parse(ownText(this.#path)));
      const age = this.#clock.now() - Number(document['savedAt']);
      if (document['form'] !== FORM || !(age >= 0 && age < MAX_AGE_MS)) return undefined;
      return knownServer(document);
    } catch {
      return undefined;
    }
  }

  write({ naming, snapshot }: KnownServer): void {
    // Servers that did not answer are asked again by the next command.
    if (snapshot.failed.size > 0) return;
    const preferred = snapshot.preferred.map((one) => snapshot.all.indexOf(one));
    const document = { form: FORM, savedAt: this.#clock.now(), naming, all: snapshot.all, preferred };
    const temporary = `${this.#path}.${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeFileSync(temporary, JSON.stringify(document), { mode: 0o600, flag: 'wx' });
      renameSync(temporary, this.#path);
    } catch {
      removeQuietly(temporary);
    }
  }

  forget(): void {
    removeQuietly(this.#path);
  }
}

/** Removes a file, if there is one and it can be removed. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder is a file, or belongs to another user.
  }
}

/** The text of a file that only this user can have written. */
function ownText(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { mode, size, uid } = fstatSync(descriptor);
    const isRegular = (mode & constants.S_IFMT) === constants.S_IFREG;
    const isForeign = process.getuid !== undefined && uid !== process.getuid();
    if (!isRegular || isForeign || (mode & 0o022) !== 0 || size > MAX_BYTES)
      throw new Error('a file that is not used');
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function knownServer(document: JsonObject): KnownServer | undefined {
  const naming = namings.find((one) => one === document['naming']);
  const entries = document['all'];
  const positions = document['preferred'];
  if (naming === undefined || !Array.isArray(entries) || !Array.isArray(positions)) return undefined;
  const all = asObjects(entries).map(resourceOf);
  const preferred = positions.flatMap((position) => all[Number(position)] ?? []);
  const isComplete = all.length === entries.length && preferred.length === positions.length;
  if (!isComplete || all.length === 0 || !entries.every(isJsonObject)) return undefined;
  return { naming, snapshot: { all, preferred, failed: new Map() } };
}

const resourceOf = (entry: JsonObject): DiscoveredResource => ({
  group: asText(entry['group']),
  version: asText(entry['version']),
  resource: asText(entry['resource']),
  kind: asText(entry['kind']),
  namespaced: entry['namespaced'] === true,
  singular: asText(entry['singular']),
  verbs: asStrings(entry['verbs']),
  shortNames: asStrings(entry['shortNames']),
  categories: asStrings(entry['categories']),
  subresources: asStrings(entry['subresources']),
});
