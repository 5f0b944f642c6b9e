import type { JsonObject } from '@orch/machinery/json';
import type { JoiningEncoder } from '../formats/document-encoder.ts';
import type { JsonSchema } from '../json-schema/json-schema.ts';
import type { Encoded } from '../pieces/index.ts';
import { digestOf } from '../sections/section-parts.ts';
import { Turns } from '../turns.ts';
import { eachRef, type ForeignDefinition, type ForeignDocument, withRefs } from './foreign-v2.ts';

/** The digest of the definition of this server that has a name; undefined when there is none. */
export type OwnDigest = (definition: string) => string | undefined;

/** A definition in the document that one of another server may share. */
interface Published {
  /** Its name in the document. */
  readonly name: string;
  readonly digest: string;
  /** The names in the document of those that it refers to; the same names when absent. */
  readonly refs: ReadonlyMap<string, string>;
}

/** Names of definitions of one server, and the names that they have in the document. */
type NewNames = ReadonlyMap<string, string>;

const sameNames: NewNames = new Map();

/**
 * Adds the paths and definitions of other servers to a document, one server after the other. A definition with the name of
 * another one and other content, or that refers to such a one, gets another name: `NAME_v2`, `NAME_v3` and so on. Servers with
 * equal definitions share them.
 */
export class ForeignJoiner {
  readonly #own: OwnDigest;
  readonly #encoder: JoiningEncoder;
  readonly #turns = new Turns();
  /** Definitions of other servers, by the names that these gave them. */
  readonly #published = new Map<string, Published[]>();
  readonly #paths: Encoded[] = [];
  /** By their names in the document. */
  readonly #added = new Map<string, Encoded>();

  constructor(own: OwnDigest, encoder: JoiningEncoder) {
    this.#own = own;
    this.#encoder = encoder;
  }

  /** The paths that were added, in order. */
  get paths(): readonly Encoded[] {
    return this.#paths;
  }

  /** The definitions that were added, sorted by name. */
  get definitions(): readonly Encoded[] {
    return [...this.#added].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bytes]) => bytes);
  }

  async add({ paths, definitions }: ForeignDocument): Promise<void> {
    const names = await this.#newNames(definitions);
    const nameOf = (name: string): string => names.get(name) ?? name;
    for (const definition of definitions) await this.#addDefinition(definition, nameOf);
    for (const { path, item } of paths) {
      const bytes = this.#encoder.foreignPath(path, withRefs(item, nameOf) as JsonObject);
      this.#paths.push(bytes);
      await this.#turns.processed(bytes.length);
    }
  }

  async #addDefinition(
    { name: givenName, schema, digest }: ForeignDefinition,
    nameOf: (name: string) => string,
  ): Promise<void> {
    const name = nameOf(givenName);
    if (this.#isTaken(name)) return;
    const bytes = this.#encoder.definition(name, withRefs(schema, nameOf) as JsonSchema);
    this.#added.set(name, bytes);
    const refs = new Map<string, string>();
    eachRef(schema, (ref) => refs.set(ref, nameOf(ref)));
    const known = this.#published.get(givenName) ?? [];
    this.#published.set(givenName, [...known, { name, digest, refs }]);
    await this.#turns.processed(bytes.length);
  }

  /** The new names of the definitions that have another name in the document. */
  async #newNames(definitions: readonly ForeignDefinition[]): Promise<NewNames> {
    const shared = new Map<string, Published>();
    for (const definition of definitions) {
      const published = await this.#equal(definition);
      if (published !== undefined) shared.set(definition.name, published);
    }
    dropOthers(shared, definitions);
    const own = new Set(definitions.map(({ name }) => name));
    return new Map(
      definitions.map(({ name }) => {
        const known = shared.get(name)?.name;
        return [
          name,
          known ?? (this.#isTaken(name) ? freeName(name, (one) => this.#isTaken(one) || own.has(one)) : name),
        ];
      }),
    );
  }

  #isTaken(name: string): boolean {
    return this.#added.has(name) || this.#own(name) !== undefined;
  }

  /** A definition in the document with the same content. The definitions that it refers to may differ. */
  async #equal({ name, schema, digest }: ForeignDefinition): Promise<Published | undefined> {
    const published = this.#published.get(name)?.find((one) => one.digest === digest);
    if (published !== undefined) return published;
    if (this.#added.has(name)) return undefined;
    const own = this.#own(name);
    if (own === undefined) return undefined;
    const bytes = this.#encoder.definition(name, schema);
    await this.#turns.processed(bytes.length);
    return own === digestOf(bytes) ? { name, digest, refs: sameNames } : undefined;
  }
}

/** Drops the shared definitions that refer to other ones in the document than those of this server do. */
function dropOthers(shared: Map<string, Published>, definitions: readonly ForeignDefinition[]): void {
  const referring = new Map<string, string[]>();
  const dropped: string[] = [];
  for (const { name, schema } of definitions) {
    const published = shared.get(name);
    if (published === undefined) dropped.push(name);
    eachRef(schema, (ref) => {
      const all = referring.get(ref) ?? [];
      all.push(name);
      referring.set(ref, all);
      const isSame = (published?.refs.get(ref) ?? ref) === shared.get(ref)?.name;
      if (!isSame && shared.delete(name)) dropped.push(name);
    });
  }
  for (let name = dropped.pop(); name !== undefined; name = dropped.pop())
    for (const one of referring.get(name) ?? []) if (shared.delete(one)) dropped.push(one);
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  let at = 2;
  while (isTaken(`${name}_v${at}`)) at++;
  return `${name}_v${at}`;
}
