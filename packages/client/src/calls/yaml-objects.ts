import type { ApiObject } from '@orch/machinery';
import { RefusedRequest } from '../rest/refused-request.ts';
import { type PlacedObject, placedObjects } from './apply-objects.ts';

/**
 * The objects of a YAML or JSON text, which may have several documents; lists of kind `List` are replaced by their items. Rejects with a
 * `RefusedRequest` for a text with an error and for a document that is no object with a kind, an apiVersion and a name.
 */
export const yamlObjects = async (text: string): Promise<readonly ApiObject[]> =>
  (await placedInYaml(text)).map(({ object }) => object as unknown as ApiObject);

/** The same with their places, for messages. */
export async function placedInYaml(text: string): Promise<readonly PlacedObject[]> {
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
