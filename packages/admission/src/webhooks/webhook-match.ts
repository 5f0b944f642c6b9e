import { errors } from '@orch/machinery';
import { type ExpressionParts, messageFor, WriteVariables } from '../expressions/index.ts';
import { VersionedObjects } from '../matching/versioned-objects.ts';
import type { AdmissionAttributes } from '../types.ts';
import type { VersionedResource } from '../versioned-resource.ts';
import { EncodedObjects } from './encoded-objects.ts';
import type { Webhook } from './webhook.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

/** Selects the webhooks that receive a write, and the version. */
export class WebhookMatch {
  readonly #registry: Pick<WebhookRegistry, 'source'>;
  readonly #parts: ExpressionParts;
  readonly #write: AdmissionAttributes;
  readonly #objects: VersionedObjects;
  #variables: WriteVariables | undefined;

  constructor(
    registry: Pick<WebhookRegistry, 'source'>,
    parts: ExpressionParts,
    { write, objects }: { readonly write: AdmissionAttributes; readonly objects: VersionedObjects },
  ) {
    this.#registry = registry;
    this.#parts = parts;
    this.#write = write;
    this.#objects = objects;
  }

  /**
   * Undefined when the webhook does not receive the write. Rejects with an `ApiError` when that cannot be determined.
   */
  async of(webhook: Webhook): Promise<VersionedResource | undefined> {
    const version = await webhook.matcher.match(this.#registry.source, this.#write);
    if (version === undefined || webhook.conditions === undefined) return version;
    this.#variables ??= new WriteVariables(this.#parts, this.#write, this.#objects);
    const variables = await this.#variables.in(version);
    const outcome = await webhook.conditions.evaluate(variables, this.#variables.turn);
    if (outcome.kind === 'matches') return version;
    if (outcome.kind === 'failed' && !webhook.ignoresFailures)
      throw this.#forbidden(messageFor(this.#write, outcome));
    return undefined;
  }

  #forbidden(problem: string): Error {
    const { group, resource: kind, name } = this.#write;
    return errors.forbidden({ group: this.#parts.names.group(group), kind, name }, problem);
  }
}

/** A write while webhooks are called for it. */
export interface ReviewedWrite {
  readonly write: AdmissionAttributes;
  readonly match: WebhookMatch;
  readonly objects: EncodedObjects;
}

export function reviewedWrite(
  registry: Pick<WebhookRegistry, 'source'>,
  parts: ExpressionParts,
  write: AdmissionAttributes,
): ReviewedWrite {
  const objects = new VersionedObjects(write);
  const match = new WebhookMatch(registry, parts, { write, objects });
  return { write, match, objects: new EncodedObjects(objects) };
}
