import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestWebhooks } from '../testing/webhook-calls.ts';
import type { CredentialsFor } from './webhook-credentials.ts';
import { WebhookRegistry } from './webhook-registry.ts';

/** A registry of two webhooks, with a token for the second one. */
function open() {
  const webhooks = new TestWebhooks();
  const tokens: CredentialsFor = (at) =>
    at === 'https://b/' ? { identity: undefined, authorization: 'Bearer first' } : undefined;
  const credentials = { current: tokens };
  const { openWebhook, clock } = webhooks.parts();
  const registry = new WebhookRegistry({
    source: webhooks.source,
    resource: 'validatingwebhookconfigurations.admissionregistration',
    settings: { open: openWebhook, clock, environments: undefined },
    credentials,
  });
  webhooks.configure('validating', 'x', { a: {}, b: {} });
  const opened = (): readonly unknown[] => {
    registry.all();
    return webhooks.opened
      .splice(0)
      .map(({ at, credentials: given }) => `${at} ${given?.authorization ?? 'without token'}`);
  };
  return { webhooks, credentials, opened };
}

describe('the registry of webhooks', () => {
  it('the registry of webhooks opens webhooks with their credentials', () => {
    const { opened } = open();
    assert.deepEqual(opened(), ['https://a/ without token', 'https://b/ Bearer first']);
  });

  it('the registry of webhooks opens a webhook again when its credentials have changed, and closes the previous connections', () => {
    const { webhooks, credentials, opened } = open();
    opened();
    credentials.current = (at) =>
      at === 'https://b/' ? { identity: undefined, authorization: 'Bearer second' } : undefined;
    assert.deepEqual([opened(), webhooks.closed], [['https://b/ Bearer second'], 1]);
  });

  it('the registry of webhooks keeps connections when the file of credentials was reloaded with the same content for a webhook', () => {
    const { webhooks, credentials, opened } = open();
    opened();
    const { current } = credentials;
    credentials.current = (at) => current(at);
    assert.deepEqual([opened(), webhooks.closed], [[], 0]);
  });
});
