import { type AccessExpressions, accessExpressions } from '@orch/cel';
import type { Names } from '@orch/machinery';
import { ConfigValue } from '@orch/machinery/yaml';
import type {
  AnonymousConfiguration,
  AuthenticationConfiguration,
  IssuerConfiguration,
} from './configuration.ts';
import { readClaimRules } from './read-claim-rules.ts';
import { readIssuer } from './read-issuer.ts';

const MAX_ISSUERS = 64;
const MAX_PATHS = 1024;

export interface AuthenticationConfigurationFile {
  readonly text: string;
  readonly file: string;
  readonly names: Names;
  /** Issuers of the server itself, whose tokens have another authenticator. */
  readonly ownIssuers: readonly string[];
}

/** Reads an `AuthenticationConfiguration`, with compiled expressions. Throws `ConfigFileError`. */
export function readAuthenticationConfiguration({
  text,
  file,
  names,
  ownIssuers,
}: AuthenticationConfigurationFile): AuthenticationConfiguration {
  const apiVersions = ['v1', 'v1beta1', 'v1alpha1'].map((version) =>
    names.apiVersion('apiserverconfig', version),
  );
  const field = ConfigValue.parse(text, file).document({ kind: 'AuthenticationConfiguration', apiVersions }, [
    'jwt',
    'anonymous',
  ]);
  const list = field('jwt').list();
  if (list.length > MAX_ISSUERS) field('jwt').fail(`must have at most ${MAX_ISSUERS} items`);
  return {
    issuers: readIssuers(list, ownIssuers),
    anonymous: field('anonymous').isAbsent ? undefined : readAnonymous(field('anonymous')),
  };
}

function readIssuers(
  list: readonly ConfigValue[],
  ownIssuers: readonly string[],
): readonly IssuerConfiguration[] {
  let expressions: AccessExpressions | undefined;
  const shared = (): AccessExpressions => {
    expressions ??= accessExpressions();
    return expressions;
  };
  const before: IssuerConfiguration[] = [];
  for (const entry of list) {
    const field = entry.object(['issuer', 'claimValidationRules', 'claimMappings', 'userValidationRules']);
    const issuer = readIssuer(field('issuer'), { before, ownIssuers });
    before.push({ ...issuer, rules: readClaimRules(field, shared) });
  }
  return before;
}

function readAnonymous(value: ConfigValue): AnonymousConfiguration {
  const field = value.object(['enabled', 'conditions']);
  const isEnabled = field('enabled').flag() ?? false;
  const conditions = field('conditions').list();
  if (!isEnabled && conditions.length > 0) field('conditions').fail('needs enabled: true');
  if (conditions.length > MAX_PATHS) field('conditions').fail(`must have at most ${MAX_PATHS} items`);
  const paths = conditions.map(readPath);
  for (const [at, path] of paths.entries())
    if (paths.indexOf(path) < at) conditions[at]?.fail(`the path ${JSON.stringify(path)} is repeated`);
  return { isEnabled, paths };
}

function readPath(condition: ConfigValue): string {
  const path = condition.object(['path'])('path');
  const text = path.text();
  if (!text.startsWith('/')) path.fail('must be a path, which begins with a slash');
  return text;
}
