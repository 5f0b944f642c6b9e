import type { DiscoveredResource, DiscoverySnapshot } from '@orch/client';
import { formatApiVersion } from '@orch/machinery';
import { nearest } from '@orch/program/flags';
import { CommandError } from '../command-error.ts';
import type { ResourceMapper } from './resource-mapper.ts';

/** The source of the resources of a server. */
export interface DiscoverySource {
  /** From an earlier command; undefined when there is none. */
  readonly earlier: DiscoverySnapshot | undefined;
  /** Asks the server. */
  read(): Promise<DiscoverySnapshot>;
  /** Called when resources have changed. */
  forget(): void;
}

/** A mapper over the discovery of a server, which is read at most once unless it is discarded. */
export const discoveredMapper = (source: DiscoverySource): ResourceMapper => new DiscoveredMapper(source);

class DiscoveredMapper implements ResourceMapper {
  readonly #source: DiscoverySource;
  #earlier: DiscoverySnapshot | undefined;
  #current: Promise<DiscoverySnapshot> | undefined;

  constructor(source: DiscoverySource) {
    this.#source = source;
    this.#earlier = source.earlier;
  }

  all(): Promise<DiscoverySnapshot> {
    this.#current ??= this.#source.read();
    return this.#current;
  }

  async known(): Promise<DiscoverySnapshot> {
    return this.#earlier ?? this.all();
  }

  refresh(): void {
    this.#earlier = undefined;
    this.#current = undefined;
    this.#source.forget();
  }

  async named(name: string): Promise<DiscoveredResource> {
    const found = await this.#find((snapshot) => resourceNamed(snapshot, name));
    if (found === undefined)
      throw new CommandError(
        `the server doesn't have a resource type ${JSON.stringify(name)}; ${hintFor(name, await this.all())}`,
      );
    return found;
  }

  async category(name: string): Promise<readonly DiscoveredResource[]> {
    const found = await this.#find((snapshot) => {
      const members = inCategory(snapshot, name);
      // The name of a resource is not an unknown category: it needs no new discovery.
      return members.length > 0 || resourceNamed(snapshot, name) !== undefined ? members : undefined;
    });
    return found ?? [];
  }

  async ofKind(apiVersion: string, kind: string): Promise<DiscoveredResource> {
    const found = await this.#find(({ all }) =>
      all.find((one) => formatApiVersion(one) === apiVersion && one.kind === kind),
    );
    if (found === undefined)
      throw new CommandError(
        `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}; its definition may be missing, run "orchctl api-resources"`,
      );
    return found;
  }

  /** Looks in the earlier discovery, and in the current one when it is not found there. */
  async #find<T>(look: (snapshot: DiscoverySnapshot) => T | undefined): Promise<T | undefined> {
    const earlier = this.#current === undefined ? this.#earlier : undefined;
    return (earlier && look(earlier)) ?? look(await this.all());
  }
}

/** The resource that was meant, when its name is near. */
function hintFor(name: string, { preferred }: DiscoverySnapshot): string {
  const known = preferred.flatMap(({ resource, singular }) => [resource, singular]);
  const meant = nearest(name.toLowerCase(), known);
  return meant === undefined ? 'run "orchctl api-resources" for all of them' : `did you mean ${meant}?`;
}

const inCategory = ({ preferred }: DiscoverySnapshot, name: string): readonly DiscoveredResource[] =>
  preferred.filter(({ categories }) => categories.includes(name.toLowerCase()));

/** The resource of a name, with an optional group or version and group behind dots. */
function resourceNamed(snapshot: DiscoverySnapshot, name: string): DiscoveredResource | undefined {
  const [first = '', ...rest] = name.split('.');
  const group = rest.join('.');
  const [version = '', ...others] = rest;
  const inVersion = others.join('.');
  const matching = (candidates: readonly DiscoveredResource[]) =>
    candidates.find((one) => one.resource === first.toLowerCase()) ??
    candidates.find((one) => isNamed(one, first.toLowerCase()));
  if (rest.length === 0) return matching(snapshot.preferred);
  return (
    matching(snapshot.all.filter((one) => one.version === version && one.group === inVersion)) ??
    matching(snapshot.preferred.filter((one) => one.group === group)) ??
    // An abbreviated group: `deployments.apps` for `apps`, `roles.rbac` for a group that begins so.
    matching(snapshot.preferred.filter((one) => one.group.startsWith(`${group}.`)))
  );
}

const isNamed = (one: DiscoveredResource, name: string): boolean =>
  one.kind.toLowerCase() === name || one.singular === name || one.shortNames.includes(name);
