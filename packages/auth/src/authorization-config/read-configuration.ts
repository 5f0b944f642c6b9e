import { type AccessExpressions, accessExpressions } from '@orch/cel';
import type { Names } from '@orch/machinery';
import { dns1123subdomain } from '@orch/machinery/formats';
import { ConfigValue } from '@orch/machinery/yaml';
import { type AuthorizerConfiguration, authorizerTypes } from './configuration.ts';
import { readWebhook } from './read-webhook.ts';

export interface AuthorizationConfigurationFile {
  readonly text: string;
  readonly file: string;
  readonly names: Names;
}

/** Reads an `AuthorizationConfiguration`, with compiled conditions. Throws `ConfigFileError`. */
export function readAuthorizationConfiguration({
  text,
  file,
  names,
}: AuthorizationConfigurationFile): readonly AuthorizerConfiguration[] {
  const apiVersions = ['v1', 'v1beta1', 'v1alpha1'].map((version) =>
    names.apiVersion('apiserverconfig', version),
  );
  const field = ConfigValue.parse(text, file).document({ kind: 'AuthorizationConfiguration', apiVersions }, [
    'authorizers',
  ]);
  const list = field('authorizers');
  if (list.list().length === 0) list.fail('at least one authorizer is required');
  let expressions: AccessExpressions | undefined;
  const shared = (): AccessExpressions => {
    expressions ??= accessExpressions();
    return expressions;
  };
  const before: AuthorizerConfiguration[] = [];
  for (const entry of list.list()) before.push(readAuthorizer(entry, before, shared));
  return before;
}

function readAuthorizer(
  entry: ConfigValue,
  before: readonly AuthorizerConfiguration[],
  expressions: () => AccessExpressions,
): AuthorizerConfiguration {
  const field = entry.object(['type', 'name', 'webhook']);
  const type = field('type').oneOf(authorizerTypes);
  const name = readName(field('name'), before);
  if (type === 'Webhook') {
    if (field('webhook').isAbsent) field('webhook').fail('is required with the type Webhook');
    return { type, name, webhook: readWebhook(field('webhook'), expressions) };
  }
  if (before.some((one) => one.type === type)) field('type').fail(`${type} is repeated`);
  if (!field('webhook').isAbsent) field('webhook').fail('needs the type Webhook');
  return { type, name };
}

/** Metrics name authorizers by it. */
function readName(value: ConfigValue, before: readonly AuthorizerConfiguration[]): string {
  const name = value.text();
  if (name === '') value.fail('a name is required');
  const problem = dns1123subdomain(name);
  if (problem !== undefined) value.fail(problem);
  if (before.some((one) => one.name === name)) value.fail(`${JSON.stringify(name)} is repeated`);
  return name;
}
