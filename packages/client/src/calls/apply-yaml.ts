import type { ApiObject } from '@orch/machinery';
import type { Client } from '../client.ts';
import { type ApplyObjectsOptions, applyPlaced } from './apply-objects.ts';
import { placedInYaml } from './yaml-objects.ts';

/**
 * Applies the objects of a YAML text on the server, in order, and returns the results in that order. The text may have several
 * documents; lists of kind `List` are replaced by their items. All documents are read before the first request. The first
 * failure ends the call, and its message names the document: the documents before it are applied then.
 */
export const applyYaml = (
  client: Client,
  text: string,
  options: ApplyObjectsOptions,
  signal?: AbortSignal,
): Promise<readonly ApiObject[]> => applyPlaced(client, () => placedInYaml(text), options, signal);
