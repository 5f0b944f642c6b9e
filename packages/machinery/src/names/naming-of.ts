import { type Naming, namings } from './names.ts';
import { table } from './table.ts';

/** Domains that identifiers of a naming end with. */
const domains: Readonly<Record<Naming, readonly string[]>> = {
  orch: ['orch.io'],
  kubernetes: ['k8s.io', 'kubernetes.io'],
};

const [orch, kubernetes] = table.mediaTypes.protobuf;
const protobufTypes: Readonly<Record<Naming, string>> = { orch, kubernetes };

/**
 * The naming that an identifier belongs to: an API group, an `apiVersion`, a media type without parameters, a WebSocket
 * protocol. Undefined for one that is the same under both, or of neither.
 */
export function namingOf(identifier: string): Naming | undefined {
  const [name = ''] = identifier.split('/', 1);
  return namings.find(
    (naming) =>
      protobufTypes[naming] === identifier ||
      domains[naming].some((domain) => name === domain || name.endsWith(`.${domain}`)),
  );
}
