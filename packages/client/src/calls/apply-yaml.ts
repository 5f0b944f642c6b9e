import type { ApiObject } from '@orch/machinery';
import type { Client } from '../client.ts';
import { RefusedRequest } from '../rest/refused-request.ts';
import { type ApplyObjectsOptions, applyPlaced, type PlacedObject, placedObjects } from './apply-objects.ts';

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
): Promise<readonly ApiObject[]> => applyPlaced(client, () => objectsIn(text), options, signal);

async function objectsIn(text: string): Promise<readonly PlacedObject[]> {
  // Loaded on first use: it takes longer to load than the rest of the client.
  const { leadingLines, parseYaml, YamlSyntaxError, yamlDocuments } = await import('@orch/machinery/yaml');
  const documents = yamlDocuments(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n'));
  const found: PlacedObject[] = [];
  let number = 0;
  for (const part of documents) {
    let value: unknown;
    try {
      value = parseYaml(Buffer.from(part.text));
    } catch (cause) {
      if (!(cause instanceof YamlSyntaxError)) throw cause;
      const line = part.line + cause.line - 1;
      throw new RefusedRequest(`document ${number + 1} at line ${line}: ${cause.problem}`, { cause });
    }
    if (value === null) continue;
    const place = `document ${++number} at line ${part.line + leadingLines(part.text)}`;
    found.push(...placedObjects(value, place));
  }
  return found;
}
