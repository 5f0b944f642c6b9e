import type { DiscoveredResource, Discovery, DiscoverySnapshot } from '@orch/client';
import { formatApiVersion } from '@orch/machinery';
import { CommandError } from '../command-error.ts';
import type { ResourceMapper } from './resource-mapper.ts';

/** A mapper over the discovery of a server, which is read once. */
export function discoveredMapper(discovery: Discovery, signal: AbortSignal): ResourceMapper {
  let snapshot: Promise<DiscoverySnapshot> | undefined;
  const all = (): Promise<DiscoverySnapshot> => (snapshot ??= discovery.read(signal));
  return {
    all,
    refresh() {
      snapshot = undefined;
    },
    async named(name) {
      const found = resourceNamed(await all(), name);
      if (found === undefined)
        throw new CommandError(
          `the server doesn't have a resource type ${JSON.stringify(name)}; run "orchctl api-resources" for all of them`,
        );
      return found;
    },
    async category(name) {
      const { preferred } = await all();
      return preferred.filter(({ categories }) => categories.includes(name.toLowerCase()));
    },
    async ofKind(apiVersion, kind) {
      const found = (await all()).all.find(
        (one) => formatApiVersion(one) === apiVersion && one.kind === kind,
      );
      if (found === undefined)
        throw new CommandError(
          `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}; its definition may be missing, run "orchctl api-resources"`,
        );
      return found;
    },
  };
}

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
