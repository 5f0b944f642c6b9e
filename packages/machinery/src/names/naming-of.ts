import { type Naming, namesFor, namings } from './names.ts';

/** Domains that identifiers of a naming end with. */
const domains: Readonly<Record<Naming, readonly string[]>> = {
  orch: ['orch.io'],
  kubernetes: ['k8s.io', 'kubernetes.io'],
};

/**
 * The naming that an identifier belongs to: an API group, an `apiVersion`, a media type without parameters, a WebSocket
 * protocol. Undefined for one that is the same under both, or of neither.
 */
export function namingOf(identifier: string): Naming | undefined {
  const [name = ''] = identifier.split('/', 1);
  return namings.find(
    (naming) =>
      namesFor(naming).mediaTypes.protobuf === identifier ||
      domains[naming].some((domain) => name === domain || name.endsWith(`.${domain}`)),
  );
}
