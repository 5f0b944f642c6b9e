import type { ObjectSource, OpenWebhook } from '@orch/auth';
import { AdmissionEnvironments } from '@orch/cel';
import type { ConfigurationParts } from '../configuration/plugin-configuration.ts';
import type { OpenPluginFile } from '../configuration/plugin-files.ts';
import type { AccessParts } from '../expressions/index.ts';
import type { CallerParts } from './webhook-caller.ts';
import { webhookCredentials } from './webhook-credentials.ts';
import { WebhookRegistry } from './webhook-registry.ts';

/** Dependencies of the plugins that call webhooks. */
export interface WebhookParts extends CallerParts, ConfigurationParts, AccessParts {
  readonly source: ObjectSource;
  readonly openWebhook: OpenWebhook;
  /** Whether webhooks have match conditions in this release. */
  readonly hasMatchConditions: boolean;
  readonly openFile: OpenPluginFile;
}

/**
 * The webhooks of the configurations of a resource, with the credentials from the configuration of the plugin. Throws
 * `ConfigFileError`.
 */
export function webhooksOf(
  { source, configuration, openWebhook, clock, openFile, names, hasMatchConditions }: WebhookParts,
  plugin: string,
  resource: string,
): WebhookRegistry {
  const settings = {
    open: openWebhook,
    clock,
    environments: hasMatchConditions ? new AdmissionEnvironments() : undefined,
  };
  const credentials = webhookCredentials(configuration(plugin), { names, plugin, openFile });
  return new WebhookRegistry({ source, resource, settings, credentials });
}
