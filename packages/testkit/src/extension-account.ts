import { type Naming, namesFor } from '@orch/machinery';
import type { ApiClient } from './api-client.ts';
import type { LaunchedServer } from './launch.ts';

export interface ExtensionAccount {
  readonly naming: Naming;
  readonly name: string;
  /** Rules of a cluster role besides the documented roles of extension API servers. */
  readonly rules?: readonly object[];
}

/**
 * Creates a service account with the roles that extension API servers need, and returns a client configuration with a token of
 * it.
 */
export async function extensionAccount(
  { client, url, config }: Pick<LaunchedServer, 'client' | 'url' | 'config'>,
  { naming, name, rules = [] }: ExtensionAccount,
): Promise<string> {
  const names = namesFor(naming);
  const { system } = names.namespaces;
  const accounts = `/api/v1/namespaces/${system}/serviceaccounts`;
  const rbac = `/apis/${names.apiVersion('rbac', 'v1')}`;
  const subjects = [{ kind: 'ServiceAccount', name, namespace: system }];
  const bind = (path: string, binding: string, kind: string, role: string) =>
    create(client, `${rbac}/${path}`, {
      ...{ metadata: { name: binding }, subjects },
      roleRef: { apiGroup: names.group('rbac'), kind, name: role },
    });
  await create(client, accounts, { metadata: { name } });
  await create(client, `${rbac}/clusterroles`, { metadata: { name }, rules });
  await bind('clusterrolebindings', name, 'ClusterRole', name);
  await bind('clusterrolebindings', `${name}-reviews`, 'ClusterRole', names.clusterRoles.authDelegator);
  const reader = `${names.objects.extensionAuthentication}-reader`;
  await bind(`namespaces/${system}/rolebindings`, name, 'Role', reader);
  const { status } = (await create(client, `${accounts}/${name}/token`, {})) as {
    readonly status: { readonly token: string };
  };
  const cluster = { server: url, 'certificate-authority-data': config.ca.toString('base64') };
  return JSON.stringify({
    ...{ kind: 'Config', apiVersion: 'v1', 'current-context': 'c' },
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'c', user: { token: status.token } }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
  });
}

async function create(client: ApiClient, path: string, body: object): Promise<unknown> {
  const { status, text, json } = await client.post(path, body);
  if (status !== 201) throw new Error(`POST ${path}: ${text}`);
  return json;
}
