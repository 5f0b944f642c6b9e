import {
  type Authorizer,
  type AuthorizerConfiguration,
  ClientConfigError,
  conditionalAuthorizer,
  countedAuthorizer,
  currentAuthorizer,
  firstOpinion,
  type Remote,
  readAuthorizationConfiguration,
  type WebhookConfiguration,
  webhookAuthorizer,
} from '@orch/auth';
import { ConfigFileError } from '@orch/machinery/yaml';
import type { Tracing } from '@orch/pipeline';
import type { ApiServerFlags } from '../flags/api-server-flags.ts';
import { asStartError } from '../reload/as-start-error.ts';
import { configurationMetrics } from '../reload/reload-metrics.ts';
import { type FileFlag, type IncludeFile, ReloadedFiles } from '../reload/reloaded-files.ts';
import { fileService } from '../remote-services.ts';
import type { LocalAuthorizers, LocalAuthorizersParts } from './local-authorizers.ts';

interface Parts extends LocalAuthorizersParts {
  readonly local: LocalAuthorizers;
  readonly tracing?: Tracing | undefined;
}

interface ReadParts extends Parts {
  /** Reads the files that the configuration names. */
  readonly include: IncludeFile;
}

interface Content {
  readonly authorizer: Authorizer;
  readonly isUnrestricted: boolean;
}

/** The authorizers of `--authorization-config`, as its file changes. */
export interface ConfiguredAuthorization {
  readonly authorizer: Authorizer;
  /** Reports whether one of the current authorizers allows everything. */
  readonly isUnrestricted: () => boolean;
}

/** Undefined without the flag. Throws a `StartError` for an invalid file, and for one that it names. */
export function configuredAuthorization(
  flags: Pick<ApiServerFlags, 'authorizationConfig'>,
  parts: Parts,
): ConfiguredAuthorization | undefined {
  const file: FileFlag = { flag: 'authorization-config', path: flags.authorizationConfig };
  if (file.path === '') return undefined;
  const title = 'the authorization configuration';
  const { env } = parts;
  const configuration = parts.reloads.add(
    new ReloadedFiles<Content>({
      title,
      files: [file],
      read: ([text = ''], _previous, include) =>
        asStartError(file, ConfigFileError, () => contentOf(text, file, { ...parts, include })),
      metrics: configurationMetrics('apiserver_authorization_config_controller', title, env),
      env,
    }),
  );
  return {
    authorizer: currentAuthorizer(() => configuration.current.authorizer),
    isUnrestricted: () => configuration.current.isUnrestricted,
  };
}

function contentOf(text: string, { path }: FileFlag, parts: ReadParts): Content {
  const entries = readAuthorizationConfiguration({ text, file: path, names: parts.names });
  return {
    authorizer: firstOpinion(entries.map((entry) => authorizerOf(entry, path, parts))),
    isUnrestricted: entries.some(({ type }) => type === 'AlwaysAllow'),
  };
}

function authorizerOf(entry: AuthorizerConfiguration, path: string, parts: ReadParts): Authorizer {
  const authorizer =
    entry.type === 'Webhook' ? webhookOf(entry.name, entry.webhook, parts) : parts.local.of(entry.type);
  if (authorizer === undefined)
    throw new ConfigFileError(path, `the type ${entry.type} needs --authorization-policy-file`);
  return countedAuthorizer(authorizer, entry, parts.env.metrics);
}

function webhookOf(name: string, webhook: WebhookConfiguration, parts: ReadParts): Authorizer {
  const { names, env, tracing, include } = parts;
  const { clock, metrics, log } = env;
  const { conditions, onFailure } = webhook;
  const remote = remoteOf(webhook, include, { ...env, tracing, decides: 'authz' });
  const group = names.group('authorization');
  const authorizer = webhookAuthorizer({ ...webhook, remote, group, name, clock, metrics });
  return conditionalAuthorizer({ authorizer, conditions, onFailure, name, clock, metrics, log });
}

/** Problems of the client configuration file are problems of the field that names it. */
function remoteOf(
  { connection, timeoutMs }: WebhookConfiguration,
  include: IncludeFile,
  parts: Parameters<typeof fileService>[2],
): Remote {
  const path = connection.text();
  try {
    return fileService(path, { include, timeoutMs }, parts);
  } catch (error) {
    if (!(error instanceof ClientConfigError)) throw error;
    return connection.fail(`${path}: ${error.message}`);
  }
}
