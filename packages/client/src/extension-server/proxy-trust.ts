import { type ApiObject, type Env, messageOf, type Names } from '@orch/machinery';
import { asStringMap, asStrings } from '@orch/machinery/json';
import type { Client } from '../client.ts';
import { problemOfAuthorities } from '../files/pem.ts';
import { createInformer } from '../informer/informer.ts';
import { keyOf } from '../objects/object-key.ts';

/**
 * The data by which an extension API server recognizes its proxy, and the user on whose behalf the proxy sends a
 * request.
 */
export interface ProxyTrust {
  /** PEM of the authorities of the proxy's client certificate. */
  readonly authorities: string;
  /** Common names that the certificate may have; any when empty. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
  /** Empty where API servers do not publish the field: they may forward the one of their client. */
  readonly uidHeaders: readonly string[];
}

/**
 * The content of the config map in which API servers publish how extension servers recognize them; undefined when it has no
 * authority or no header field for the user. Throws for content that cannot be read: an empty list of allowed names would
 * allow any. `object` is `names.objects.extensionAuthentication` in the system namespace.
 */
export function proxyTrust(object: ApiObject): ProxyTrust | undefined {
  const data = asStringMap(object['data']);
  const authorities = data['requestheader-client-ca-file'] ?? '';
  const usernameHeaders = listIn(data['requestheader-username-headers']);
  if (authorities === '' || usernameHeaders.length === 0) return undefined;
  const problem = problemOfAuthorities(authorities);
  if (problem !== undefined) throw new TypeError(`requestheader-client-ca-file ${problem}`);
  return {
    authorities,
    usernameHeaders,
    allowedNames: listIn(data['requestheader-allowed-names']),
    groupHeaders: listIn(data['requestheader-group-headers']),
    extraHeaderPrefixes: listIn(data['requestheader-extra-headers-prefix']),
    uidHeaders: listIn(data['requestheader-uid-headers']),
  };
}

/** Throws for a value that is not a list of strings in JSON. */
function listIn(text: string | undefined): readonly string[] {
  const list: unknown = JSON.parse(text ?? '[]');
  if (!Array.isArray(list) || list.some((item) => typeof item !== 'string'))
    throw new TypeError(`${text} is not a list of strings`);
  return asStrings(list);
}

/** Follows the trust in the proxy; `synced` resolves when it was read for the first time. */
export interface FollowedTrust {
  synced(signal: AbortSignal): Promise<void>;
  /** Resolves when the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

/** The client that reads the trusted proxies, and who is told of changes. */
export interface FollowOptions {
  readonly client: Client;
  readonly env: Env;
  /** Called with the first state and after each change; undefined when there is no trusted proxy. */
  readonly onChange: (trust: ProxyTrust | undefined) => void;
}

/** Follows the config map of the API server. Content that cannot be read is logged, and the previous trust stays. */
export function followProxyTrust({ client, env, onChange }: FollowOptions): FollowedTrust {
  const { namespace, name } = trustObject(client.names);
  const informer = createInformer({ client, env }, configMaps, {
    namespace,
    fieldSelector: `metadata.name=${name}`,
  });
  const read = (): void => {
    const object = informer.store.get(keyOf(namespace, name));
    try {
      onChange(object === undefined ? undefined : proxyTrust(object));
    } catch (error) {
      env.log.error('the trust in the proxy cannot be read', { object: name, error: messageOf(error) });
    }
  };
  informer.subscribe(read);
  return { synced: (signal) => informer.synced(signal), run: (signal) => informer.run(signal) };
}

const configMaps = { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', namespaced: true };

const trustObject = ({ namespaces, objects }: Names) => ({
  namespace: namespaces.system,
  name: objects.extensionAuthentication,
});
