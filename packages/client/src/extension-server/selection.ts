import { type ApiObject, errors } from '@orch/machinery';
import { asStringMap, asText } from '@orch/machinery/json';
import { parseFieldSelector, parseLabelSelector, SelectorError } from '@orch/machinery/selectors';

/** The objects that the selectors of a request select. Throws for invalid selectors, and for fields other than name and namespace. */
export function selected(objects: readonly ApiObject[], query: URLSearchParams): readonly ApiObject[] {
  const labels = parsed(parseLabelSelector, query.get('labelSelector') ?? '');
  const fields = parsed(parseFieldSelector, query.get('fieldSelector') ?? '');
  for (const { field } of fields.requirements)
    if (field !== 'metadata.name' && field !== 'metadata.namespace')
      throw errors.badRequest(`field label not supported: ${field}`);
  return objects.filter(
    ({ metadata }) =>
      labels.matches(asStringMap(metadata.labels)) &&
      fields.matches((field) => asText(field === 'metadata.name' ? metadata.name : metadata.namespace)),
  );
}

function parsed<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SelectorError) throw errors.badRequest(error.message);
    throw error;
  }
}
